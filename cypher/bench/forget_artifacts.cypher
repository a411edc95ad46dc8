// Delete the artifacts of a measured space, in batches.
//
// access:  write
// params:  space STRING, most INTEGER
// returns: deleted INTEGER
MATCH (a:Artifact {space: $space})
WITH a LIMIT $most
DETACH DELETE a
RETURN count(*) AS deleted
