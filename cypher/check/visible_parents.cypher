// No visible artifact has an influence parent that is not visible.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
MATCH (p:Artifact)-[:INFLUENCES]->(a:Visible)
WHERE a.space = $space AND NOT p:Visible
RETURN a.id AS id, a.key AS key, 'is visible and rests on ' + p.key + ' (' + p.id + '), which is not' AS detail
