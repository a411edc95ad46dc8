// The contents of some artifacts that are in service; what is not in service is left out. No blob is an empty text.
//
// access:  read
// params:  space STRING, ids LIST<STRING>
// returns: ids LIST<STRING>, keys LIST<STRING>, kinds LIST<STRING>, contents LIST<STRING>, faults LIST<STRING>, blobs LIST<ANY>, metadata LIST<STRING>
CYPHER 25
UNWIND $ids AS id
MATCH (a:Artifact {id: id})
WHERE a.space = $space AND a:Visible
RETURN collect(a.id) AS ids, collect(a.key) AS keys, collect(CASE WHEN a.kind IN ['record', 'cache', 'summary', 'skill'] THEN a.kind ELSE 'summary' END) AS kinds,
  collect(CASE WHEN a.content IS :: STRING NOT NULL THEN a.content ELSE '' END) AS contents,
  collect(CASE WHEN a.content IS :: STRING NOT NULL THEN '' ELSE 'has a content that is no text' END) AS faults,
  collect(coalesce(a.blob, '')) AS blobs, collect(coalesce(toStringOrNull(a.metadata), '')) AS metadata
