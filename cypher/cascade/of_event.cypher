// What an event holds, and every influence edge into it, as columns: the input of planning.
//
// Sources are named by the database's own ids, good for this transaction alone; cascade/sources names those that the event does not hold.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: seq INTEGER, type STRING, delta STRING, reason STRING, actor STRING, arrivals INTEGER, value_mean FLOAT, cost_mean FLOAT, roots LIST<STRING>, root_keys LIST<STRING>, replaced LIST<BOOLEAN>, nodes LIST<STRING>, ids LIST<STRING>, keys LIST<STRING>, kinds LIST<STRING>, archs LIST<STRING>, operators LIST<STRING>, values LIST<FLOAT>, costs LIST<FLOAT>, embedded LIST<BOOLEAN>, targets LIST<INTEGER>, sources LIST<STRING>, roles LIST<STRING>, required LIST<ANY>
CYPHER 25
MATCH (event:RepairEvent {space: $space, id: $event_id})
CALL (event) {
  MATCH (event)-[named:ROOT]->(root)
  RETURN collect(root.id) AS roots, collect(root.key) AS root_keys, collect(coalesce(named.replaced, false)) AS replaced
}
CALL (event) {
  CALL (event) {
    // begin block: walk
    MATCH (event)-[:ROOT|INFLUENCES*1..]->(x)
    WITH DISTINCT event, x
    // end block: walk
    WHERE x:Withdrawn AND x.held_by = event.seq
    RETURN x
    UNION
    MATCH (event)-[:AFFECTS]->(x:Withdrawn)
    WHERE x.held_by = event.seq
    RETURN x
  }
  RETURN collect(x) AS held
}
// begin block: cascade_columns
CALL (held) {
  UNWIND held AS x
  RETURN collect(elementId(x)) AS nodes, collect(x.id) AS ids, collect(x.key) AS keys, collect(x.kind) AS kinds, collect(coalesce(x.arch, '')) AS archs,
    collect(coalesce(x.operator, '')) AS operators, collect(coalesce(x.value, -1.0)) AS values, collect(coalesce(x.cost, -1.0)) AS costs,
    collect(x.embedding IS NOT NULL) AS embedded
}
CALL (held) {
  UNWIND range(0, size(held) - 1) AS n
  WITH n, held[n] AS x
  MATCH (source)-[edge:INFLUENCES]->(x)
  RETURN collect(n) AS targets, collect(elementId(source)) AS sources, collect(coalesce(edge.role, '')) AS roles,
    collect(coalesce(edge.required, 'declared')) AS required
}
// end block: cascade_columns
RETURN event.seq AS seq, event.type AS type, coalesce(event.delta, '') AS delta, coalesce(event.reason, '') AS reason,
  coalesce(event.actor, '') AS actor, event.arrivals AS arrivals, event.value_mean AS value_mean, event.cost_mean AS cost_mean,
  roots, root_keys, replaced, nodes, ids, keys, kinds, archs, operators, values, costs, embedded, targets, sources, roles, required
