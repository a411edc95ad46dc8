// The contracts in force: every visible record with a tool.
//
// access:  read
// params:  space STRING
// returns: tools LIST<STRING>, ids LIST<STRING>, contents LIST<STRING>
CYPHER 25
MATCH (a:Visible)
WHERE a.space = $space AND a.tool IS :: STRING NOT NULL AND a.content IS :: STRING NOT NULL
RETURN collect(a.tool) AS tools, collect(a.id) AS ids, collect(a.content) AS contents
