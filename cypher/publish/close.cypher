// Close an event: drop every draft still staged for it, of any attempt, with its content. Refused while an outcome is pending.
//
// access:  write
// params:  space STRING, event_id STRING, attempt INTEGER
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
  WHEN NOT event.status IN ['planned', 'repairing'] THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status]
  WHEN EXISTS { (event)-[r:AFFECTS]->() WHERE r.outcome = 'pending' }
    THEN ['event_conflict', 'event ' + $event_id + ' has artifacts whose outcome is pending']
  ELSE ['', ''] END AS verdict
CALL (event, verdict) {
  FILTER verdict[0] = ''
  MATCH (draft:Staged) WHERE draft.space = $space AND draft.held_by = event.seq
  REMOVE draft:Staged
  SET draft:Retired
  REMOVE draft.content, draft.search_text, draft.blob, draft.embedding
  WITH draft AS gone
  // begin block: turn_edges
  MATCH (source)-[edge:INFLUENCES]->(gone)
  CREATE (source)-[past:INFLUENCED]->(gone)
  SET past = properties(edge)
  DELETE edge
  // end block: turn_edges
  RETURN count(*) AS dropped
}
CALL (event, verdict) {
  FILTER verdict[0] = ''
  MATCH (event)-[r:AFFECTS]->(a)
  WHERE r.outcome = 'published' AND r.operator IS NOT NULL AND r.cost > 0.0 AND a.cost IS NULL
  // The median of the ratios, so that one answer that is far too long, or one wrong count of tokens, teaches nothing.
  WITH event, r.operator AS operator, count(*) AS runs, sum(r.cost) AS cost, sum(r.spent) AS spent,
    percentileDisc(r.spent / r.cost, 0.5) AS ratio
  ORDER BY operator
  WITH event, collect(operator) AS operators, collect(runs) AS runs, collect(cost) AS costs, collect(spent) AS spents, collect(ratio) AS ratios
  SET event.learned_operators = operators, event.learned_runs = runs, event.learned_cost = costs, event.learned_spent = spents,
    event.learned_ratios = ratios
  RETURN count(*) AS taught
}
CALL (event, verdict) {
  FILTER verdict[0] = ''
  OPTIONAL MATCH (event)-[r:AFFECTS]->()
  WITH event, collect(r.outcome) AS outcomes, sum(r.spent) AS spent
  SET event.status = 'closed', event.closed_at = datetime(), event.lease_until = 0, event.spent = spent,
    event.published = size([o IN outcomes WHERE o = 'published']), event.removed = size([o IN outcomes WHERE o = 'removed']),
    event.unrepaired = size([o IN outcomes WHERE NOT o IN ['published', 'removed', 'replaced']])
  RETURN count(*) AS closed
}
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail
