// Let what was erased be written again: lift the tombstone of one erased artifact, by its id, or of all of a key.
//
// The artifacts stay empty, and keep when, by whom and why it was done. Other artifacts with the same content keep their
// tombstones.
//
// access:  write
// params:  space STRING, ref STRING, reason STRING, actor STRING
// returns: status STRING, rule STRING, detail STRING, ids LIST<STRING>, keys LIST<STRING>, versions LIST<INTEGER>, already INTEGER, forgiven_at STRING
CYPHER 25
// begin block: one_stripe
WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: one_stripe
CALL () {
  OPTIONAL MATCH (named:Artifact {id: $ref}) WHERE named.space = $space AND named.erased_at IS NOT NULL
  OPTIONAL MATCH (keyed:Artifact {space: $space, key: $ref}) WHERE keyed.erased_at IS NOT NULL
  RETURN collect(DISTINCT coalesce(named, keyed)) AS erased
}
CALL (erased) {
  UNWIND erased AS a
  WITH a WHERE a.tombstone IS NOT NULL
  SET a.forgiven_at = datetime(), a.forgiven_by = $actor, a.forgiven_reason = $reason
  REMOVE a.tombstone
  WITH a ORDER BY a.key, a.version
  RETURN collect(a.id) AS ids, collect(a.key) AS keys, collect(coalesce(a.version, 0)) AS versions
}
RETURN CASE WHEN size(erased) = 0 THEN 'refused' ELSE 'done' END AS status, CASE WHEN size(erased) = 0 THEN 'not_found' ELSE '' END AS rule,
  CASE WHEN size(erased) = 0 THEN 'nothing of ' + $ref + ' was erased from this space: name the artifact or the key that the refusal names' ELSE '' END AS detail,
  ids, keys, versions, size(erased) - size(ids) AS already, toString(datetime()) AS forgiven_at
