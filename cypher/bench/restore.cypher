// Put everything of a measured space back into service, in batches.
//
// access:  write
// params:  ids LIST<STRING>
// returns: restored INTEGER
UNWIND $ids AS id
MATCH (n:Artifact {id: id})
REMOVE n:Withdrawn, n:Retired
SET n:Visible
SET n.held_by = 0
RETURN count(n) AS restored
