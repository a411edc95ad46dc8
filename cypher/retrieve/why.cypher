// Why an artifact is, or is not, in service: its newest version of substance, the event that holds it, retired it or put it into
// service, the way from a root to it.
//
// access:  read
// params:  space STRING, ref STRING
// returns: artifact NODE, event NODE, outcome STRING, reason STRING, mode STRING, path LIST<STRING>, sources LIST<MAP>, versions LIST<MAP>
CYPHER 25
CALL () {
  OPTIONAL MATCH (named:Artifact {id: $ref}) WHERE named.space = $space
  OPTIONAL MATCH (keyed:Artifact {space: $space, key: $ref}) WHERE NOT keyed:Staged AND keyed.version IS NOT NULL
  WITH named, keyed
  ORDER BY keyed.version DESC
  WITH named, collect(keyed)[0] AS newest
  RETURN coalesce(named, newest) AS artifact
}
WITH artifact WHERE artifact IS NOT NULL
OPTIONAL MATCH (event:RepairEvent {space: $space, seq: artifact.held_by})
OPTIONAL MATCH (event)-[r:AFFECTS]->(artifact)
WITH artifact, event, collect(r)[0] AS r
// What is in service is held by none: the event that put it there is told by the version it succeeds.
OPTIONAL MATCH (artifact)-[:SUPERSEDES]->()<-[s:AFFECTS]-(by:RepairEvent)
WHERE event IS NULL AND s.outcome IN ['published', 'replaced']
WITH artifact, coalesce(event, by) AS event, coalesce(r, s) AS r
ORDER BY event.seq DESC
LIMIT 1
CALL (artifact, event) {
  OPTIONAL MATCH path = SHORTEST 1 (event)-[:ROOT|INFLUENCES|INFLUENCED]->+(artifact)
  RETURN [n IN nodes(path)[1..] | n.key] AS path
}
CALL (artifact) {
  OPTIONAL MATCH (source)-[edge:INFLUENCES|INFLUENCED]->(artifact)
  WITH source, edge ORDER BY source.key
  RETURN collect(CASE WHEN source IS NOT NULL THEN {key: source.key, id: source.id,
    state: [l IN labels(source) WHERE l IN ['Visible', 'Withdrawn', 'Staged', 'Retired']][0], role: edge.role, required: edge.required} END) AS sources
}
CALL (artifact) {
  MATCH (other:Artifact {space: $space, key: artifact.key}) WHERE other.version IS NOT NULL
  WITH other ORDER BY other.version DESC
  RETURN collect({id: other.id, version: other.version, state: [l IN labels(other) WHERE l IN ['Visible', 'Withdrawn', 'Staged', 'Retired']][0]}) AS versions
}
RETURN artifact, event, r.outcome AS outcome, coalesce(r.reason, '') AS reason, r.mode AS mode, coalesce(path, []) AS path, sources, versions
