// What erasing a closed event would empty: everything retired or withdrawn that its roots influenced, the roots included.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: ids LIST<STRING>, hashes LIST<STRING>
CYPHER 25
MATCH (event:RepairEvent {space: $space, id: $event_id})-[:ROOT]->(root)
MATCH (root)-[:INFLUENCES|INFLUENCED*0..]->(x)
WITH DISTINCT x
WHERE (x:Retired OR x:Withdrawn) AND x.erased_at IS NULL
RETURN collect(x.id) AS ids, collect(coalesce(toStringOrNull(x.content_hash), '')) AS hashes
