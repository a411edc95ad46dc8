// All versions of a key, newest first, in whatever state.
//
// access:  read
// params:  space STRING, key STRING
// returns: artifact NODE
MATCH (artifact:Artifact {space: $space, key: $key})
RETURN artifact
ORDER BY coalesce(artifact.version, 0) DESC, artifact.created_at DESC
