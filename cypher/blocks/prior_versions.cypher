// Join a new version `a` to the versions before it: it supersedes `last`, and retires `live`, which a closed event left withdrawn.

FOREACH (prior IN CASE WHEN last IS NULL THEN [] ELSE [last] END | CREATE (a)-[:SUPERSEDES]->(prior))
FOREACH (prior IN CASE WHEN live IS NULL THEN [] ELSE [live] END | REMOVE prior:Withdrawn SET prior:Retired)
WITH a, live AS gone
CALL (gone) {
  // block: turn_edges
  RETURN count(*) AS turned
}
CALL (gone) {
  // block: semantic_edges
  RETURN count(*) AS moved
}
