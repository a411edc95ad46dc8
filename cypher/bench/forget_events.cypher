// Delete the repair events of a measured space, in batches: edges first where there are many.
//
// access:  write
// params:  space STRING, most INTEGER
// returns: deleted INTEGER
CYPHER 25
CALL () {
  MATCH (:RepairEvent {space: $space})-[r]->()
  WITH r LIMIT $most
  DELETE r
  RETURN count(*) AS edges
}
CALL (edges) {
  FILTER edges = 0
  MATCH (e:RepairEvent {space: $space})
  DELETE e
  RETURN count(*) AS events
}
RETURN edges + events AS deleted
