// Influence edges stay inside one space, and none points at a retired artifact.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
MATCH (a:Artifact {space: $space})<-[edge:INFLUENCES|INFLUENCED]-(p:Artifact)
// `key IS NOT NULL` lets an index give this space alone; what has no key is found by check/properties.
WHERE a.key IS NOT NULL AND (p.space <> a.space OR (a:Retired AND edge:INFLUENCES))
RETURN a.id AS id, a.key AS key, CASE WHEN p.space <> a.space THEN 'is influenced by ' + p.id + ' of another space'
  ELSE 'is retired and still has an INFLUENCES edge from ' + p.id END AS detail
