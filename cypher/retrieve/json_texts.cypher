// The recipes and metadata of a space, which are JSON: what `memorepair check` parses. Cypher cannot.
//
// access:  read
// params:  space STRING
// returns: ids LIST<STRING>, keys LIST<STRING>, recipes LIST<STRING>, metadata LIST<STRING>
CYPHER 25
MATCH (a:Artifact {space: $space})
// `key IS NOT NULL` lets an index give this space alone; what has no key is found by check/properties.
WHERE a.key IS NOT NULL AND (a.recipe IS :: STRING NOT NULL OR a.metadata IS :: STRING NOT NULL)
RETURN collect(coalesce(toStringOrNull(a.id), '')) AS ids, collect(coalesce(toStringOrNull(a.key), '')) AS keys,
  collect(coalesce(toStringOrNull(a.recipe), '')) AS recipes, collect(coalesce(toStringOrNull(a.metadata), '')) AS metadata
