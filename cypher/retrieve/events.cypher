// The repair events of a space, newest first.
//
// access:  read
// params:  space STRING
// returns: event NODE, outcomes LIST<STRING>, counts LIST<INTEGER>
CYPHER 25
MATCH (event:RepairEvent {space: $space})
CALL (event) {
  OPTIONAL MATCH (event)-[r:AFFECTS]->()
  WITH r.outcome AS outcome, count(r) AS n
  WHERE outcome IS NOT NULL
  RETURN collect(outcome) AS outcomes, collect(n) AS counts
}
RETURN event, outcomes, counts
ORDER BY event.seq DESC
