// What a line of a memory file says of the versions of some keys, in the order of key and version.
//
// `states` of Visible, Withdrawn, Retired. Sources and neighbours are named by their keys; of the neighbours those in service.
//
// access:  read
// params:  space STRING, keys LIST<STRING>, states LIST<STRING>
// returns: artifact NODE, sources LIST<MAP>, near LIST<MAP>
CYPHER 25
UNWIND $keys AS key
MATCH (artifact:Artifact {space: $space, key: key})
WHERE artifact.version IS NOT NULL AND any(state IN labels(artifact) WHERE state IN $states)
CALL (artifact) {
  OPTIONAL MATCH (source)-[edge:INFLUENCES|INFLUENCED]->(artifact)
  WITH DISTINCT source.key AS key, edge.role AS role, edge.required AS required
  ORDER BY key, role, required
  RETURN collect(CASE WHEN key IS NOT NULL THEN {key: key, role: role, required: required} END) AS sources
}
CALL (artifact) {
  OPTIONAL MATCH (artifact)-[edge:SEMANTIC]->(other:Visible)
  WITH DISTINCT other.key AS key, edge.score AS score
  ORDER BY key, score
  RETURN collect(CASE WHEN key IS NOT NULL THEN {key: key, score: score} END) AS near
}
RETURN artifact, sources, near
ORDER BY artifact.key, artifact.version
