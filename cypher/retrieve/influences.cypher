// The influence edges among what is live, as columns: what circles are found in.
//
// access:  read
// params:  space STRING
// returns: sources LIST<STRING>, targets LIST<STRING>, keys LIST<STRING>
CYPHER 25
CALL () {
  MATCH (a:Artifact {space: $space})-[:INFLUENCES]->(b)
  // What has no name is found by check/properties.
  WHERE a.key IS NOT NULL AND a.id IS :: STRING NOT NULL AND b.id IS :: STRING NOT NULL AND b.key IS :: STRING NOT NULL
  RETURN collect(a.id) AS sources, collect(b.id) AS targets, collect(b.key) AS keys
}
RETURN sources, targets, keys
