// The replacements of an event's roots that lack the embedding their root had.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: id STRING, content STRING, content_hash STRING
CYPHER 25
MATCH (event:RepairEvent {space: $space, id: $event_id})-[:ROOT]->(root)<-[:SUPERSEDES]-(next:Visible)
WHERE root.embedding IS NOT NULL AND next.embedding IS NULL AND next.content IS :: STRING NOT NULL
RETURN next.id AS id, next.content AS content, next.content_hash AS content_hash
