// Declare the plan of an event complete; refused when a derivation was added to the event since the plan was read.
//
// access:  write
// params:  space STRING, event_id STRING, attempt INTEGER, arrivals INTEGER, plan_id STRING, tradeoff STRING, budget STRING, value_mean FLOAT, cost_mean FLOAT, factor_operators LIST<STRING>, factors LIST<FLOAT>
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
  // begin block: claim
  WHEN event IS NULL THEN ['not_found', 'no event ' + $event_id + ' in this space']
  WHEN event.attempt <> $attempt THEN ['claim_lost', 'another worker has event ' + $event_id]
  // end block: claim
  WHEN event.status <> 'withdrawn' THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status + ' and has its plan']
  WHEN event.arrivals <> $arrivals THEN ['plan_changed', 'a derivation was added to event ' + $event_id + ' while it was planned']
  ELSE ['', ''] END AS verdict
FOREACH (planned IN CASE WHEN verdict[0] = '' THEN [event] ELSE [] END |
  SET planned.status = 'planned', planned.plan_id = $plan_id, planned.tradeoff = $tradeoff, planned.budget = $budget,
    planned.value_mean = $value_mean, planned.cost_mean = $cost_mean,
    planned.factor_operators = $factor_operators, planned.factors = $factors, planned.planned_at = datetime())
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail
