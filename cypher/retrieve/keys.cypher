// A page of the keys of a space, in the order of the keys: each with its live version, or where it has none with its newest.
//
// `from` is the first key that is looked at, `until` the first that is not; `states` of Visible, Withdrawn, Retired.
// ORDER BY space and key, not key alone, is what lets the index give the order: else every page would read all that is left.
//
// access:  read
// params:  space STRING, from STRING, until STRING, states LIST<STRING>, kinds LIST<STRING>, most INTEGER
// returns: key STRING, id STRING, kind STRING, arch STRING, state STRING, version INTEGER, tool STRING, operator STRING, metadata STRING, characters INTEGER, created_at ANY
CYPHER 25
MATCH (a:Artifact {space: $space})
WHERE a.key >= $from AND a.key < $until
WITH a, [l IN labels(a) WHERE l IN ['Visible', 'Withdrawn', 'Staged', 'Retired']][0] AS state
WHERE state IN $states AND a.kind IN $kinds AND (NOT a:Retired OR (a.version IS NOT NULL
  AND NOT EXISTS { (other:Artifact {space: $space, key: a.key}) WHERE other.version > a.version }))
RETURN a.key AS key, coalesce(toStringOrNull(a.id), '') AS id, a.kind AS kind, coalesce(toStringOrNull(a.arch), '') AS arch, state, CASE WHEN a.version IS :: INTEGER NOT NULL THEN a.version ELSE 0 END AS version,
  coalesce(toStringOrNull(a.tool), '') AS tool, coalesce(toStringOrNull(a.operator), '') AS operator, CASE WHEN a.metadata IS :: STRING THEN a.metadata END AS metadata,
  CASE WHEN a.content IS :: STRING NOT NULL THEN size(a.content) ELSE 0 END AS characters, a.created_at AS created_at
ORDER BY a.space, a.key
LIMIT $most
