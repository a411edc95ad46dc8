// Every staged artifact belongs to an open event; every withdrawn one is held by an event that affects it, or reaches it and has no plan yet.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
CYPHER 25
MATCH (a:Staged)
WHERE a.space = $space
OPTIONAL MATCH (event:RepairEvent {space: $space, seq: a.held_by})
WITH a, event
FILTER event IS NULL OR event.status = 'closed'
RETURN a.id AS id, a.key AS key, 'is staged for no open event' AS detail
UNION ALL
CALL () {
  OPTIONAL MATCH (event:RepairEvent {space: $space, status: 'withdrawn'})
  OPTIONAL MATCH (event)-[:ROOT|INFLUENCES*1..]->(x)
  WITH DISTINCT event, x
  WHERE x.held_by = event.seq
  RETURN collect(x) AS reached
}
MATCH (a:Withdrawn)
WHERE a.space = $space
OPTIONAL MATCH (event:RepairEvent {space: $space, seq: a.held_by})
WITH reached, a, event
FILTER event IS NULL OR NOT EXISTS { (event)-[:AFFECTS]->(a) }
WITH reached, collect(a) AS unaccounted
UNWIND [a IN unaccounted WHERE NOT a IN reached] AS a
RETURN a.id AS id, a.key AS key, 'is withdrawn, and held by no event that accounts for it' AS detail
