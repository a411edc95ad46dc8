// One version of an artifact by its id, in whatever state.
//
// access:  read
// params:  space STRING, id STRING
// returns: artifact NODE
MATCH (artifact:Artifact {id: $id})
WHERE artifact.space = $space
RETURN artifact
