// Ids of the events that are not closed, oldest first.
//
// access:  read
// params:  space STRING
// returns: event_id STRING, status STRING, owner STRING, lease_seconds INTEGER
MATCH (event:RepairEvent {space: $space})
WHERE event.status <> 'closed'
RETURN event.id AS event_id, event.status AS status, coalesce(event.lease_owner, '') AS owner,
  CASE WHEN event.lease_until > timestamp() THEN (event.lease_until - timestamp()) / 1000 + 1 ELSE 0 END AS lease_seconds
ORDER BY event.seq
