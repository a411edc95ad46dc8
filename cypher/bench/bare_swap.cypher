// The labels of a publication alone: new in, old out.
//
// access:  write
// params:  rows LIST<LIST<STRING>>
// returns: swapped INTEGER
UNWIND $rows AS row
MATCH (new:Artifact {id: row[0]})
MATCH (old:Artifact {id: row[1]})
REMOVE new:Staged
SET new:Visible
REMOVE old:Withdrawn
SET old:Retired
RETURN count(*) AS swapped
