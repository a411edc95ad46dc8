// The contents of some artifacts that are in service; what is not in service is left out. No blob is an empty text.
//
// access:  read
// params:  space STRING, ids LIST<STRING>
// returns: ids LIST<STRING>, keys LIST<STRING>, kinds LIST<STRING>, contents LIST<STRING>, blobs LIST<ANY>, metadata LIST<STRING>
UNWIND $ids AS id
MATCH (a:Artifact {id: id})
WHERE a.space = $space AND a:Visible
RETURN collect(a.id) AS ids, collect(a.key) AS keys, collect(a.kind) AS kinds, collect(a.content) AS contents,
  collect(coalesce(a.blob, '')) AS blobs, collect(coalesce(a.metadata, '')) AS metadata
