// The contracts in force that say which tools they take the place of (`x-replaces`).
//
// access:  read
// params:  space STRING
// returns: tools LIST<STRING>, ids LIST<STRING>, contents LIST<STRING>
CYPHER 25
MATCH (a:Visible)
WHERE a.space = $space AND a.tool IS :: STRING NOT NULL AND a.content CONTAINS '"x-replaces"'
RETURN collect(a.tool) AS tools, collect(a.id) AS ids, collect(a.content) AS contents
