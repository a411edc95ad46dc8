// Influence edges stay inside one space, none points at a retired artifact, and each says a role and a need that can be read.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
CYPHER 25
MATCH (a:Artifact {space: $space})<-[edge:INFLUENCES|INFLUENCED]-(p:Artifact)
// `key IS NOT NULL` lets an index give this space alone; what has no key is found by check/properties.
WHERE a.key IS NOT NULL AND (p.space <> a.space OR (a:Retired AND edge:INFLUENCES)
  OR NOT edge.role IS :: STRING OR NOT (edge.required IS :: BOOLEAN OR coalesce(edge.required = 'any', false)))
RETURN a.id AS id, a.key AS key, CASE WHEN p.space <> a.space THEN 'is influenced by ' + coalesce(toStringOrNull(p.id), 'one without an id') + ' of another space'
  WHEN a:Retired AND edge:INFLUENCES THEN 'is retired and still has an INFLUENCES edge from ' + coalesce(toStringOrNull(p.id), 'one without an id')
  ELSE 'has an edge from ' + coalesce(toStringOrNull(p.id), 'one without an id') + ' whose role is no text, or whose need is none of true, false and "any"' END AS detail
