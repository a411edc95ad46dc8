// All candidates of an event's plan, whatever became of them, as columns; and the terms on which it was made.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: status STRING, tradeoff STRING, value_mean FLOAT, cost_mean FLOAT, ids LIST<STRING>, keys LIST<STRING>, kinds LIST<STRING>, archs LIST<STRING>, operators LIST<STRING>, modes LIST<STRING>, selected LIST<BOOLEAN>, executable LIST<BOOLEAN>, reasons LIST<STRING>, values LIST<FLOAT>, costs LIST<FLOAT>, levels LIST<INTEGER>, predecessors LIST<LIST<STRING>>, supports LIST<LIST<STRING>>
CYPHER 25
MATCH (event:RepairEvent {space: $space, id: $event_id})
CALL (event) {
  MATCH (event)-[r:AFFECTS]->(a)
  WHERE r.mode <> 'remove'
  // begin block: candidate_columns
  RETURN collect(a.id) AS ids, collect(a.key) AS keys, collect(CASE WHEN a.kind IN ['record', 'cache', 'summary', 'skill'] THEN a.kind ELSE 'summary' END) AS kinds,
    collect(CASE WHEN a.arch IN ['neural', 'prompt', 'chain'] THEN a.arch ELSE '' END) AS archs,
    collect(coalesce(r.operator, '')) AS operators, collect(r.mode) AS modes, collect(r.selected) AS selected,
    collect(r.executable) AS executable, collect(coalesce(r.reason, '')) AS reasons, collect(coalesce(r.value, 0.0)) AS values,
    collect(coalesce(r.cost, 0.0)) AS costs, collect(coalesce(r.level, 0)) AS levels,
    collect(coalesce(r.predecessors, [])) AS predecessors, collect(coalesce(r.supports, [])) AS supports
  // end block: candidate_columns
}
RETURN event.status AS status, event.tradeoff AS tradeoff, event.value_mean AS value_mean, event.cost_mean AS cost_mean,
  ids, keys, kinds, archs, operators, modes, selected, executable, reasons, values, costs, levels, predecessors, supports
