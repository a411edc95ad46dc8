// The former texts of an event's roots, as far as they were retracted and are not erased: for telling which keys hold words of them.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: texts LIST<STRING>
CYPHER 25
OPTIONAL MATCH (event:RepairEvent {space: $space, id: $event_id})-[:ROOT]->(root)
WHERE event.type IN ['delete', 'correct'] AND root.content IS NOT NULL
RETURN collect(toStringOrNull(root.content)) AS texts
