// Which of some artifacts are contracts of some tools, in whatever state.
//
// `nodes` are the database's own ids, read in the same transaction.
//
// access:  read
// params:  nodes LIST<STRING>, tools LIST<STRING>
// returns: ids LIST<STRING>, tools LIST<STRING>
CYPHER 25
UNWIND $nodes AS node
MATCH (a:Artifact)
WHERE elementId(a) = node AND a.tool IN $tools
RETURN collect(a.id) AS ids, collect(a.tool) AS tools
