// All that a space serves, as columns: what an audit reads. What is absent is an empty text.
//
// access:  read
// params:  space STRING
// returns: keys LIST<STRING>, kinds LIST<STRING>, contents LIST<STRING>, recipes LIST<STRING>, metadata LIST<STRING>, blobs LIST<ANY>
CYPHER 25
MATCH (a:Visible {space: $space})
RETURN collect(a.key) AS keys, collect(coalesce(a.arch, a.kind)) AS kinds, collect(coalesce(a.content, '')) AS contents,
  collect(coalesce(a.recipe, '')) AS recipes, collect(coalesce(a.metadata, '')) AS metadata, collect(coalesce(a.blob, '')) AS blobs
