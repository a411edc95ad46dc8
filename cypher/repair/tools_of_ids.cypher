// The tools of some contracts, in whatever state.
//
// access:  read
// params:  ids LIST<STRING>
// returns: ids LIST<STRING>, tools LIST<STRING>
CYPHER 25
UNWIND $ids AS id
MATCH (a:Artifact {id: id})
WHERE a.tool IS :: STRING NOT NULL
RETURN collect(a.id) AS ids, collect(a.tool) AS tools
