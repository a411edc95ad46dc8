// What operators are given to rebuild some withdrawn artifacts: for each its recipe, and for each edge into it that the plan
// consumes the version that stands for the source now. Texts come from what is in service alone.
//
// `wanted` holds maps {id, sources}: a withdrawn version, and the ids (as planned) of the sources that it consumes.
//
// access:  read
// params:  space STRING, wanted LIST<MAP>
// returns: ids LIST<STRING>, recipes LIST<STRING>, metadata LIST<STRING>, embedded LIST<BOOLEAN>, targets LIST<INTEGER>, planned LIST<STRING>, stands LIST<STRING>, roles LIST<STRING>, required LIST<ANY>
CYPHER 25
CALL () {
  UNWIND $wanted AS want
  MATCH (a:Artifact {id: want.id})
  RETURN collect(a.id) AS ids, collect(coalesce(toStringOrNull(a.recipe), '')) AS recipes, collect(coalesce(toStringOrNull(a.metadata), '')) AS metadata,
    collect(a.embedding IS NOT NULL) AS embedded
}
CALL () {
  UNWIND range(0, size($wanted) - 1) AS n
  WITH n, $wanted[n] AS want
  MATCH (a:Artifact {id: want.id})<-[edge:INFLUENCES]-(source)
  OPTIONAL MATCH (live:Visible {space: $space, key: source.key})
  WITH n, edge, CASE WHEN source:Visible THEN source ELSE live END AS now, want, source
  WITH n, edge, now, CASE WHEN source.id IN want.sources THEN source.id
    ELSE head(COLLECT { MATCH (v:Artifact {space: $space, key: source.key}) WHERE v.id IN want.sources RETURN v.id }) END AS planned
  FILTER planned IS NOT NULL
  RETURN collect(n) AS targets, collect(planned) AS planned, collect(coalesce(now.id, '')) AS stands,
    collect(coalesce(toStringOrNull(edge.role), '')) AS roles,
    collect(CASE WHEN edge.required IS :: BOOLEAN NOT NULL OR edge.required = 'any' THEN edge.required ELSE 'declared' END) AS required
}
RETURN ids, recipes, metadata, embedded, targets, planned, stands, roles, required
