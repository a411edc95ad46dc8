// Find all versions of a key, in any state.
//
// access:  schema
// params:  none
// returns: nothing
CREATE INDEX memorepair_artifact_key IF NOT EXISTS
FOR (a:Artifact) ON (a.space, a.key)
