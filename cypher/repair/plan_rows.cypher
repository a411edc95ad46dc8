// Write a part of an event's plan into the graph: what is to become of each affected artifact, and why.
//
// `rows` holds maps {id, mode, operator, value, cost, executable, selected, outcome, reason, predecessors, supports, level}.
// What a later event took meanwhile is noted as a conflict.
//
// access:  write
// params:  space STRING, event_id STRING, attempt INTEGER, rows LIST<MAP>
// returns: status STRING, rule STRING, detail STRING, written INTEGER, taken LIST<STRING>
CYPHER 25
WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
CALL () {
  MATCH (event:RepairEvent {space: $space, id: $event_id})
  SET event.lock = true
  REMOVE event.lock
  RETURN count(event) AS events
}
WITH gates, events
OPTIONAL MATCH (event:RepairEvent {space: $space, id: $event_id})
WITH event, CASE
  WHEN event IS NULL THEN ['not_found', 'no event ' + $event_id + ' in this space']
  WHEN event.attempt <> $attempt THEN ['claim_lost', 'another worker has event ' + $event_id]
  WHEN event.status <> 'withdrawn' THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status + ' and has its plan']
  ELSE ['', ''] END AS verdict
CALL (event, verdict) {
  FILTER verdict[0] = ''
  UNWIND $rows AS row
  MATCH (a:Artifact {id: row.id})
  MERGE (event)-[r:AFFECTS]->(a)
  WITH row, a, r, a.held_by = event.seq AND (a:Withdrawn OR row.outcome IN ['removed', 'replaced']) AS held
  SET r.mode = row.mode, r.operator = row.operator, r.value = row.value, r.cost = row.cost, r.executable = row.executable,
    r.selected = row.selected AND held, r.outcome = CASE WHEN held THEN row.outcome ELSE 'conflict' END,
    r.reason = CASE WHEN held THEN row.reason ELSE 'a later event took it' END, r.predecessors = row.predecessors,
    r.supports = row.supports, r.level = row.level, r.checks = NULL, r.validated = NULL, r.spent = coalesce(r.spent, 0.0)
  RETURN count(r) AS written, collect(CASE WHEN NOT held THEN a.id END) AS taken
}
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail, written, taken
