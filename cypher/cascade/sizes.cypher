// How long the contents of some artifacts are, whether they have a blob, and their recipes: what estimates go by. No texts.
//
// access:  read
// params:  space STRING, ids LIST<STRING>
// returns: ids LIST<STRING>, kinds LIST<STRING>, sizes LIST<INTEGER>, recipes LIST<STRING>, blobs LIST<BOOLEAN>
UNWIND $ids AS id
MATCH (a:Artifact {id: id})
WHERE a.space = $space
RETURN collect(a.id) AS ids, collect(a.kind) AS kinds, collect(coalesce(size(a.content), 0)) AS sizes,
  collect(coalesce(a.recipe, '')) AS recipes, collect(a.blob IS NOT NULL) AS blobs
