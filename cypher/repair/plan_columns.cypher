// Write a part of an event's plan into the graph: what is to become of each affected artifact, and why.
//
// The columns are of equal length, one entry an artifact; what is null in them is not stored.
// What a later event took meanwhile is noted as a conflict.
//
// access:  write
// params:  space STRING, event_id STRING, attempt INTEGER, ids LIST<STRING>, modes LIST<STRING>, operators LIST<STRING>, values LIST<FLOAT>, costs LIST<FLOAT>, executable LIST<BOOLEAN>, selected LIST<BOOLEAN>, outcomes LIST<STRING>, reasons LIST<STRING>, predecessors LIST<LIST<STRING>>, supports LIST<LIST<STRING>>, levels LIST<INTEGER>
// returns: status STRING, rule STRING, detail STRING, written INTEGER, taken LIST<STRING>
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
  ELSE ['', ''] END AS verdict
CALL (event, verdict) {
  FILTER verdict[0] = ''
  UNWIND range(0, size($ids) - 1) AS n
  MATCH (a:Artifact {id: $ids[n]})
  MERGE (event)-[r:AFFECTS]->(a)
  WITH n, a, r, a.held_by = event.seq AND (a:Withdrawn OR $outcomes[n] IN ['removed', 'replaced']) AS held
  SET r.mode = $modes[n], r.operator = $operators[n], r.value = $values[n], r.cost = $costs[n], r.executable = $executable[n],
    r.selected = $selected[n] AND held, r.outcome = CASE WHEN held THEN $outcomes[n] ELSE 'conflict' END,
    r.reason = CASE WHEN held THEN $reasons[n] ELSE 'a later event took it' END, r.predecessors = $predecessors[n],
    r.supports = $supports[n], r.level = $levels[n], r.checks = NULL, r.validated = NULL, r.spent = coalesce(r.spent, 0.0)
  RETURN count(r) AS written, collect(CASE WHEN NOT held THEN a.id END) AS taken
}
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail, written, taken
