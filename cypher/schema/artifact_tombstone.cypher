// Find what was erased, by its keyed hash.
//
// access:  schema
// params:  none
// returns: nothing
CREATE INDEX memorepair_artifact_tombstone IF NOT EXISTS
FOR (a:Artifact) ON (a.space, a.tombstone)
