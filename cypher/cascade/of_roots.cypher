// What an event over these roots would hold, and every influence edge into it, as columns; nothing is written.
//
// Sources are named by the database's own ids, good for this transaction alone; cascade/sources names those that the event would not hold.
//
// access:  read
// params:  space STRING, roots LIST<STRING>
// returns: roots LIST<STRING>, root_keys LIST<STRING>, root_tools LIST<STRING>, refs LIST<STRING>, missing LIST<STRING>, nodes LIST<STRING>, ids LIST<STRING>, keys LIST<STRING>, kinds LIST<STRING>, archs LIST<STRING>, operators LIST<STRING>, values LIST<FLOAT>, costs LIST<FLOAT>, embedded LIST<BOOLEAN>, targets LIST<INTEGER>, sources LIST<STRING>, roles LIST<STRING>, required LIST<ANY>
CYPHER 25
CALL () {
  // begin block: named_roots
  UNWIND $roots AS ref
  OPTIONAL MATCH (named:Artifact {id: ref}) WHERE named.space = $space AND (named:Visible OR named:Withdrawn)
  OPTIONAL MATCH (keyed:Artifact {space: $space, key: ref}) WHERE keyed:Visible OR keyed:Withdrawn
  WITH ref, coalesce(named, keyed) AS root
  // end block: named_roots
  RETURN collect(CASE WHEN root IS NULL THEN ref END) AS missing, collect(root) AS found,
    collect(CASE WHEN root IS NOT NULL THEN ref END) AS refs
}
CALL (found) {
  UNWIND found AS root
  MATCH (root)-[:INFLUENCES*0..]->(x)
  WITH DISTINCT x
  WHERE NOT x:Staged AND NOT x IN found
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
RETURN [root IN found | root.id] AS roots, [root IN found | root.key] AS root_keys, [root IN found | coalesce(root.tool, '')] AS root_tools,
  refs, missing, nodes, ids, keys, kinds, archs, operators, values, costs, embedded, targets, sources, roles, required
