// A lookup by key without the visibility label.
//
// access:  read
// params:  space STRING, key STRING
// returns: artifact NODE
MATCH (artifact:Artifact {space: $space, key: $key})
RETURN artifact
ORDER BY artifact.version DESC
LIMIT 1
