// Note that artifacts are near in meaning: for retrieval only, it never extends a cascade.
//
// access:  write
// params:  space STRING, pairs LIST<MAP>
// returns: status STRING, detail STRING, linked INTEGER
CYPHER 25
// begin block: one_stripe
WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: one_stripe
CALL () {
  UNWIND $pairs AS pair
  MATCH (a:Visible {space: $space, key: pair.key})
  MATCH (b:Visible {space: $space, key: pair.near})
  MERGE (a)-[edge:SEMANTIC]->(b)
  SET edge.score = pair.score
  RETURN count(*) AS linked
}
RETURN 'done' AS status, '' AS detail, linked
