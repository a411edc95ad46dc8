// Give an artifact in service other metadata, or none: nothing else of it changes, and nothing that rests on it leaves service.
//
// `ref` is an id or a key. The metadata that it had is not kept.
//
// access:  write
// params:  space STRING, ref STRING, metadata STRING
// returns: status STRING, rule STRING, detail STRING, id STRING
CYPHER 25
// begin block: one_stripe
WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: one_stripe
CALL () {
  OPTIONAL MATCH (named:Artifact {id: $ref}) WHERE named.space = $space
  OPTIONAL MATCH (keyed:Artifact {space: $space, key: $ref}) WHERE keyed:Visible OR keyed:Withdrawn
  RETURN collect(coalesce(named, keyed))[0] AS artifact
}
WITH artifact, CASE
  WHEN artifact IS NULL THEN ['not_found', $ref + ' is no artifact of this space that could have metadata']
  WHEN NOT artifact:Visible THEN ['out_of_service', artifact.key + ' (' + artifact.id + ') is out of service']
  ELSE ['', ''] END AS verdict
FOREACH (a IN CASE WHEN verdict[0] = '' THEN [artifact] ELSE [] END | SET a.metadata = $metadata)
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail, artifact.id AS id
