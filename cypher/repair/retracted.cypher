// The retracted roots behind what an event affects: every deleted or corrected artifact that is reachable backwards from it,
// whichever event took it; and the edges to follow them forwards, among what lies between.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: root_ids LIST<STRING>, texts LIST<STRING>, sources LIST<STRING>, targets LIST<STRING>
CYPHER 25
MATCH (event:RepairEvent {space: $space, id: $event_id})
CALL (event) {
  MATCH (event)-[:AFFECTS]->(a)
  RETURN collect(a) AS affected
}
CALL (event) {
  MATCH (event)-[:AFFECTS]->(first)
  MATCH (first)<-[:INFLUENCES|INFLUENCED*1..]-(x)
  RETURN collect(DISTINCT x) AS behind
}
CALL (behind) {
  UNWIND behind AS x
  MATCH (x)<-[:ROOT]-(by:RepairEvent)
  WHERE by.type IN ['delete', 'correct']
  RETURN collect(DISTINCT x) AS retracted
}
CALL (retracted) {
  UNWIND retracted AS root
  RETURN collect(root.id) AS root_ids, collect(coalesce(root.content, '')) AS texts
}
CALL (retracted) {
  UNWIND retracted AS root
  MATCH (root)-[:INFLUENCES|INFLUENCED*0..]->(x)
  WITH DISTINCT x
  MATCH (x)-[:INFLUENCES|INFLUENCED]->(y)
  RETURN collect(x.id) AS sources, collect(y.id) AS targets
}
RETURN root_ids, texts, sources, targets
