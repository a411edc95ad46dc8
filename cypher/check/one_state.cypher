// Every artifact has exactly one state label.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
MATCH (a:Artifact {space: $space})
// `key IS NOT NULL` lets an index give this space alone; what has no key is found by check/properties.
WHERE a.key IS NOT NULL
WITH a, [l IN labels(a) WHERE l IN ['Visible', 'Withdrawn', 'Staged', 'Retired']] AS states
WHERE size(states) <> 1
RETURN a.id AS id, a.key AS key, 'has the states ' + reduce(all = '', s IN states | all + s + ' ') AS detail
