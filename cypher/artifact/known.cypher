// What of a file is here already: every version of the given keys, in any state, with the keys of its sources.
//
// access:  read
// params:  space STRING, keys LIST<STRING>
// returns: keys LIST<STRING>, ids LIST<STRING>, states LIST<STRING>, hashes LIST<STRING>, tombstones LIST<STRING>, sources LIST<LIST<STRING>>
CYPHER 25
UNWIND $keys AS key
MATCH (a:Artifact {space: $space, key: key})
WITH a, COLLECT { MATCH (p)-[:INFLUENCES|INFLUENCED]->(a) RETURN DISTINCT p.key AS source ORDER BY source } AS sources
RETURN collect(a.key) AS keys, collect(a.id) AS ids,
  collect([l IN labels(a) WHERE l IN ['Visible', 'Withdrawn', 'Staged', 'Retired']][0]) AS states,
  collect(coalesce(a.content_hash, '')) AS hashes, collect(coalesce(a.tombstone, '')) AS tombstones, collect(sources) AS sources
