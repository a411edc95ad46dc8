// Lay down influence edges, bare.
//
// access:  write
// params:  rows LIST<LIST<STRING>>
// returns: created INTEGER
UNWIND $rows AS row
MATCH (source:Artifact {id: row[0]})
MATCH (target:Artifact {id: row[1]})
CREATE (source)-[edge:INFLUENCES]->(target)
RETURN count(edge) AS created
