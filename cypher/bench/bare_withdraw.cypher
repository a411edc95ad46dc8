// The labels of a barrier alone: what a cascade costs when one knows it already.
//
// access:  write
// params:  ids LIST<STRING>
// returns: withdrawn INTEGER
UNWIND $ids AS id
MATCH (n:Artifact {id: id})
REMOVE n:Visible
SET n:Withdrawn
SET n.held_by = 1
RETURN count(n) AS withdrawn
