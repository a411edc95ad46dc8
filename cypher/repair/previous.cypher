// The own former content of withdrawn artifacts, for operators that start from it. No blob is an empty text.
//
// access:  read
// params:  space STRING, ids LIST<STRING>
// returns: ids LIST<STRING>, contents LIST<STRING>, blobs LIST<ANY>
CYPHER 25
UNWIND $ids AS id
MATCH (a:Artifact {id: id})
WHERE a.space = $space
RETURN collect(a.id) AS ids, collect(coalesce(toStringOrNull(a.content), '')) AS contents, collect(coalesce(a.blob, '')) AS blobs
