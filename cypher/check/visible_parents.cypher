// No visible artifact has an influence parent that is not visible.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
CYPHER 25
MATCH (p:Artifact)-[:INFLUENCES]->(a:Visible)
// `key IS NOT NULL` lets an index give this space alone; what has no key is found by check/properties.
WHERE a.space = $space AND a.key IS NOT NULL AND NOT p:Visible
RETURN a.id AS id, a.key AS key, 'is visible and rests on ' + coalesce(toStringOrNull(p.key), 'one without a key') + ' (' + coalesce(toStringOrNull(p.id), 'no id') + '), which is not' AS detail
