// What directly influenced some artifacts, in whatever state, history included; as edges in columns.
//
// access:  read
// params:  space STRING, ids LIST<STRING>
// returns: sources LIST<STRING>, targets LIST<STRING>
CYPHER 25
UNWIND $ids AS id
MATCH (a:Artifact {id: id})<-[:INFLUENCES|INFLUENCED]-(source)
WHERE a.space = $space
RETURN collect(coalesce(toStringOrNull(source.id), elementId(source))) AS sources, collect(id) AS targets
