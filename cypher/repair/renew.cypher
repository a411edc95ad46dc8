// Keep, or with 0 seconds give up, the lease of a claimed event.
//
// access:  write
// params:  space STRING, event_id STRING, attempt INTEGER, lease_seconds INTEGER
// returns: status STRING, rule STRING, detail STRING
CYPHER 25
// begin block: one_stripe
WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: one_stripe
// begin block: event_lock
CALL () {
  MATCH (event:RepairEvent {space: $space, id: $event_id})
  SET event.lock = true
  REMOVE event.lock
  RETURN count(event) AS events
}
WITH gates, events
OPTIONAL MATCH (event:RepairEvent {space: $space, id: $event_id})
// end block: event_lock
WITH event, coalesce(event.attempt = $attempt, false) AS ours
FOREACH (held IN CASE WHEN ours THEN [event] ELSE [] END | SET held.lease_until = timestamp() + $lease_seconds * 1000)
RETURN CASE WHEN ours THEN 'done' ELSE 'refused' END AS status, CASE WHEN ours THEN '' ELSE 'claim_lost' END AS rule,
  CASE WHEN ours THEN '' ELSE 'another worker has event ' + $event_id END AS detail
