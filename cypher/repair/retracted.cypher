// Which of some artifacts were retracted, as the root of a deletion or a correction, whichever event it was; and their texts.
//
// access:  read
// params:  space STRING, ids LIST<STRING>
// returns: ids LIST<STRING>, texts LIST<STRING>
CYPHER 25
UNWIND $ids AS id
MATCH (a:Artifact {id: id})
WHERE a.space = $space AND a:Retired AND EXISTS { (a)<-[:ROOT]-(by:RepairEvent) WHERE by.type IN ['delete', 'correct'] }
RETURN collect(id) AS ids, collect(coalesce(toStringOrNull(a.content), '')) AS texts
