// The influence edges among what is live, as columns: what circles are found in.
//
// access:  read
// params:  space STRING
// returns: sources LIST<STRING>, targets LIST<STRING>, keys LIST<STRING>
CYPHER 25
CALL () {
  MATCH (a:Artifact {space: $space})-[:INFLUENCES]->(b)
  WHERE a.key IS NOT NULL
  RETURN collect(a.id) AS sources, collect(b.id) AS targets, collect(b.key) AS keys
}
RETURN sources, targets, keys
