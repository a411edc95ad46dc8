// Take an open event to work on: a lease until it ends or is renewed, and a fencing number that every later write compares.
//
// `owner` says who; `dead_owner` is one known to be gone, whose lease need not be waited for (else empty).
//
// access:  write
// params:  space STRING, event_id STRING, owner STRING, dead_owner STRING, lease_seconds INTEGER
// returns: status STRING, rule STRING, detail STRING, attempt INTEGER, event_status STRING, tradeoff STRING, budget STRING
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
WITH event, CASE
  WHEN event IS NULL THEN ['not_found', 'no event ' + $event_id + ' in this space']
  WHEN event.status = 'closed' THEN ['event_conflict', 'event ' + $event_id + ' is closed; retry plans again what it still holds']
  WHEN event.lease_until > timestamp() AND event.lease_owner <> $dead_owner
    THEN ['claim_lost', 'event ' + $event_id + ' is worked on by ' + event.lease_owner + '; its lease ends in '
      + ((event.lease_until - timestamp()) / 1000 + 1) + ' s unless renewed']
  ELSE ['', ''] END AS verdict
FOREACH (free IN CASE WHEN verdict[0] = '' THEN [event] ELSE [] END |
  SET free.attempt = free.attempt + 1, free.lease_owner = $owner, free.lease_until = timestamp() + $lease_seconds * 1000)
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail,
  event.attempt AS attempt, event.status AS event_status, event.tradeoff AS tradeoff, event.budget AS budget
