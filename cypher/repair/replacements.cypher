// The replacements of an event's roots that lack the embedding their root had.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: id STRING, content STRING, content_hash STRING
MATCH (event:RepairEvent {space: $space, id: $event_id})-[:ROOT]->(root)<-[:SUPERSEDES]-(next:Visible)
WHERE root.embedding IS NOT NULL AND next.embedding IS NULL
RETURN next.id AS id, next.content AS content, next.content_hash AS content_hash
