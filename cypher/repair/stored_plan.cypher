// The part of an event's stored plan that is still to be done, as columns; and what became of the rest.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: status STRING, attempt INTEGER, plan_id STRING, ids LIST<STRING>, keys LIST<STRING>, kinds LIST<STRING>, archs LIST<STRING>, operators LIST<STRING>, modes LIST<STRING>, selected LIST<BOOLEAN>, executable LIST<BOOLEAN>, reasons LIST<STRING>, values LIST<FLOAT>, costs LIST<FLOAT>, levels LIST<INTEGER>, predecessors LIST<LIST<STRING>>, supports LIST<LIST<STRING>>, settled LIST<STRING>, settled_keys LIST<STRING>, outcomes LIST<STRING>
CYPHER 25
MATCH (event:RepairEvent {space: $space, id: $event_id})
CALL (event) {
  MATCH (event)-[r:AFFECTS]->(a)
  WHERE r.outcome = 'pending'
  // begin block: candidate_columns
  RETURN collect(a.id) AS ids, collect(a.key) AS keys, collect(CASE WHEN a.kind IN ['record', 'cache', 'summary', 'skill'] THEN a.kind ELSE 'summary' END) AS kinds,
    collect(CASE WHEN a.arch IN ['neural', 'prompt', 'chain'] THEN a.arch ELSE '' END) AS archs,
    collect(coalesce(r.operator, '')) AS operators, collect(r.mode) AS modes, collect(r.selected) AS selected,
    collect(r.executable) AS executable, collect(coalesce(r.reason, '')) AS reasons, collect(coalesce(r.value, 0.0)) AS values,
    collect(coalesce(r.cost, 0.0)) AS costs, collect(coalesce(r.level, 0)) AS levels,
    collect(coalesce(r.predecessors, [])) AS predecessors, collect(coalesce(r.supports, [])) AS supports
  // end block: candidate_columns
}
CALL (event) {
  MATCH (event)-[r:AFFECTS]->(a)
  WHERE r.outcome <> 'pending'
  RETURN collect(a.id) AS settled, collect(a.key) AS settled_keys, collect(r.outcome) AS outcomes
}
RETURN event.status AS status, event.attempt AS attempt, event.plan_id AS plan_id, ids, keys, kinds, archs, operators, modes, selected, executable, reasons,
  values, costs, levels, predecessors, supports, settled, settled_keys, outcomes
