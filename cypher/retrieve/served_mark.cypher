// What changes whenever what is in service in a space does: two equal rows mean that nothing came or went in between.
//
// access:  read
// params:  space STRING
// returns: served INTEGER, hidden INTEGER, newest STRING, edges INTEGER, near INTEGER, events INTEGER
CYPHER 25
CALL () {
  MATCH (a:Artifact {space: $space})
  WHERE a.key IS NOT NULL AND a:Visible
  RETURN count(a) AS served, coalesce(toStringOrNull(max(a.published_at)), '') AS newest,
    sum(COUNT { (a)<-[:INFLUENCES]-() }) AS edges, sum(COUNT { (a)-[:SEMANTIC]->() }) AS near
}
CALL () {
  MATCH (a:Artifact {space: $space})
  WHERE a.key IS NOT NULL AND a:Withdrawn
  RETURN count(a) AS hidden
}
OPTIONAL MATCH (first:Gate {space: $space, stripe: 0})
RETURN served, hidden, newest, edges, near, coalesce(first.seq, 0) AS events
