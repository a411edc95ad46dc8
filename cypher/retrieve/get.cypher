// The version of a key that is in service; no row when there is none.
//
// access:  read
// params:  space STRING, key STRING
// returns: artifact NODE
MATCH (artifact:Visible {space: $space, key: $key})
RETURN artifact
ORDER BY artifact.version DESC
LIMIT 1
