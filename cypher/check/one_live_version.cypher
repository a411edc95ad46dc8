// At most one live (visible or withdrawn) version of a key.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
MATCH (a:Artifact {space: $space})
// `key IS NOT NULL` lets an index give this space alone; what has no key is found by check/properties.
WHERE a.key IS NOT NULL AND (a:Visible OR a:Withdrawn)
WITH a.key AS key, collect(a.id) AS ids
WHERE size(ids) > 1
UNWIND ids AS id
RETURN id, key, 'is one of ' + size(ids) + ' live versions' AS detail
