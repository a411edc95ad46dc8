// What is in service in the place of some artifacts that were corrected; nothing of a key of which a version was deleted.
//
// access:  read
// params:  space STRING, ids LIST<STRING>
// returns: ids LIST<STRING>, texts LIST<STRING>
UNWIND $ids AS id
MATCH (a:Artifact {id: id})
WHERE a.space = $space AND a:Retired AND EXISTS { (a)<-[:ROOT]-(by:RepairEvent) WHERE by.type = 'correct' }
  AND NOT EXISTS {
    MATCH (version:Artifact {space: $space, key: a.key})<-[:ROOT]-(by:RepairEvent) WHERE by.type = 'delete'
  }
MATCH (now:Visible {space: $space, key: a.key})
RETURN collect(id) AS ids, collect(coalesce(toStringOrNull(now.content), '')) AS texts
