// The columns of a cascade alone, of a space in which everything withdrawn is of one event: what to plan it takes to be sent.
//
// access:  read
// params:  space STRING
// returns: nodes LIST<STRING>, ids LIST<STRING>, keys LIST<STRING>, kinds LIST<STRING>, operators LIST<STRING>, costs LIST<FLOAT>, targets LIST<STRING>, sources LIST<STRING>
CYPHER 25
CALL () {
  MATCH (x:Withdrawn)
  WHERE x.space = $space
  RETURN collect(elementId(x)) AS nodes, collect(x.id) AS ids, collect(x.key) AS keys, collect(x.kind) AS kinds,
    collect(x.operator) AS operators, collect(x.cost) AS costs
}
CALL () {
  MATCH (source)-[:INFLUENCES]->(x:Withdrawn)
  WHERE x.space = $space
  RETURN collect(elementId(x)) AS targets, collect(elementId(source)) AS sources
}
RETURN nodes, ids, keys, kinds, operators, costs, targets, sources
