// Return what is held, and every influence edge into it, as columns: the input of planning.
//
// Columns, because rows are slow to read in Python: 100,000 rows of three columns took 3 to 4 s, the same as three lists in one
// row 0.3 to 0.45 s. Sources are named by the database's own ids, which saves a look-up for each edge.
// `faults` says what is wrong with an artifact that cannot be read; what it has of the wrong type is absent in the columns.

CALL (held) {
  UNWIND held AS a
  WITH a,
    // block: artifact_fault
    AS fault
  RETURN collect(elementId(a)) AS nodes, collect(a.id) AS ids, collect(a.key) AS keys, collect(coalesce(fault, '')) AS faults,
    collect(CASE WHEN a.kind IN ['record', 'cache', 'summary', 'skill'] THEN a.kind ELSE 'summary' END) AS kinds,
    collect(CASE WHEN a.arch IN ['neural', 'prompt', 'chain'] THEN a.arch ELSE '' END) AS archs,
    collect(coalesce(toStringOrNull(a.operator), '')) AS operators,
    collect(CASE WHEN a.value >= -0.0 AND a.value < INF THEN a.value ELSE -1.0 END) AS values,
    collect(CASE WHEN a.cost >= -0.0 AND a.cost < INF THEN a.cost ELSE -1.0 END) AS costs,
    collect(a.embedding IS NOT NULL) AS embedded
}
CALL (held) {
  UNWIND range(0, size(held) - 1) AS n
  WITH n, held[n] AS x
  MATCH (source)-[edge:INFLUENCES]->(x)
  RETURN collect(n) AS targets, collect(elementId(source)) AS sources,
    collect(coalesce(toStringOrNull(edge.role), '')) AS roles,
    collect(CASE WHEN edge.required IS :: BOOLEAN NOT NULL OR edge.required = 'any' THEN edge.required ELSE 'declared' END) AS required
}
