// Open a closed event again over what it still holds; other outcomes stay as they are. `tradeoff` is the λ to plan with, `budget`
// the most that may be spent; null for what it had.
//
// access:  write
// params:  space STRING, event_id STRING, tradeoff STRING, budget STRING
// returns: status STRING, rule STRING, detail STRING, pending INTEGER
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
  WHEN event.status <> 'closed' THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status + ', not closed: resume it']
  ELSE ['', ''] END AS verdict
CALL (event, verdict) {
  FILTER verdict[0] = ''
  SET event.status = 'withdrawn', event.attempt = event.attempt + 1, event.lease_until = 0,
    event.tradeoff = coalesce($tradeoff, event.tradeoff), event.budget = coalesce($budget, event.budget)
  WITH event
  MATCH (event)-[r:AFFECTS]->(a:Withdrawn) WHERE a.held_by = event.seq
  SET r.outcome = 'pending', r.selected = false
  RETURN count(r) AS pending
}
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail, pending
