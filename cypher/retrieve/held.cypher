// Keys of what an event that is not planned yet withdrew: reachable from it, and held by it.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: keys LIST<STRING>
CYPHER 25
MATCH (event:RepairEvent {space: $space, id: $event_id})
CALL (event) {
  // begin block: walk
  MATCH (event)-[:ROOT|INFLUENCES*1..]->(x)
  WITH DISTINCT event, x
  // end block: walk
  WHERE x:Withdrawn AND x.held_by = event.seq
  RETURN collect(toStringOrNull(x.key)) AS keys
}
RETURN keys
