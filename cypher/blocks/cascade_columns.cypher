// Return what is held, and every influence edge into it, as columns: the input of planning.
//
// Columns, because rows are slow to read in Python: 100,000 rows of three columns took 3 to 4 s, the same as three lists in one
// row 0.3 to 0.45 s. Sources are named by the database's own ids, which saves a look-up for each edge.

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
