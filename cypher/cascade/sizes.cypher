// How long the contents of some artifacts are, whether they have a blob, their recipes and metadata: what planning goes by before it
// asks an operator. No other texts.
//
// access:  read
// params:  space STRING, ids LIST<STRING>
// returns: ids LIST<STRING>, kinds LIST<STRING>, sizes LIST<INTEGER>, recipes LIST<STRING>, metadata LIST<STRING>, blobs LIST<BOOLEAN>
CYPHER 25
UNWIND $ids AS id
MATCH (a:Artifact {id: id})
WHERE a.space = $space
RETURN collect(a.id) AS ids, collect(CASE WHEN a.kind IN ['record', 'cache', 'summary', 'skill'] THEN a.kind ELSE 'summary' END) AS kinds,
  collect(CASE WHEN a.content IS :: STRING NOT NULL THEN size(a.content) ELSE 0 END) AS sizes,
  collect(coalesce(toStringOrNull(a.recipe), '')) AS recipes,
  collect(coalesce(toStringOrNull(a.metadata), '')) AS metadata, collect(a.blob IS NOT NULL) AS blobs
