// The recipes and metadata of some artifacts, which are JSON: what planning looks at before it asks an operator. No other texts.
//
// access:  read
// params:  space STRING, ids LIST<STRING>
// returns: ids LIST<STRING>, recipes LIST<STRING>, metadata LIST<STRING>
CYPHER 25
UNWIND $ids AS id
MATCH (a:Artifact {id: id})
WHERE a.space = $space AND (a.recipe IS :: STRING NOT NULL OR a.metadata IS :: STRING NOT NULL)
RETURN collect(a.id) AS ids, collect(coalesce(toStringOrNull(a.recipe), '')) AS recipes,
  collect(coalesce(toStringOrNull(a.metadata), '')) AS metadata
