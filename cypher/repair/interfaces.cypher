// The contracts in force: every visible record with a tool.
//
// access:  read
// params:  space STRING
// returns: tools LIST<STRING>, ids LIST<STRING>, contents LIST<STRING>
MATCH (a:Visible)
WHERE a.space = $space AND a.tool IS NOT NULL
RETURN collect(a.tool) AS tools, collect(a.id) AS ids, collect(a.content) AS contents
