// What the repairs of a space were expected to cost and what they did cost, in tokens, of those whose operator ran.
//
// access:  read
// params:  space STRING
// returns: operators LIST<STRING>, costs LIST<FLOAT>, spents LIST<FLOAT>
CYPHER 25
MATCH (event:RepairEvent {space: $space})-[r:AFFECTS]->()
WHERE r.selected AND r.spent > 0.0 AND r.operator IS NOT NULL
RETURN collect(r.operator) AS operators, collect(toFloat(r.cost)) AS costs, collect(r.spent) AS spents
