// Note the λ, and the budget (null: none), that an event without a plan is to be planned with, so that whoever resumes it plans what
// was asked for.
//
// access:  write
// params:  space STRING, event_id STRING, tradeoff STRING, budget STRING
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
WITH event, CASE
  WHEN event IS NULL THEN ['not_found', 'no event ' + $event_id + ' in this space']
  WHEN event.status <> 'withdrawn' THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status + ' and has its plan']
  ELSE ['', ''] END AS verdict
FOREACH (asked IN CASE WHEN verdict[0] = '' THEN [event] ELSE [] END | SET asked.tradeoff = $tradeoff, asked.budget = $budget)
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail
