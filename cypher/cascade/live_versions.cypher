// The live version of each key that has one: what a retired source stands for.
//
// access:  read
// params:  space STRING, keys LIST<STRING>
// returns: keys LIST<STRING>, ids LIST<STRING>, states LIST<STRING>
CYPHER 25
UNWIND $keys AS key
MATCH (live:Artifact {space: $space, key: key})
WHERE (live:Visible OR live:Withdrawn) AND live.id IS :: STRING NOT NULL
RETURN collect(live.key) AS keys, collect(live.id) AS ids,
  collect(CASE WHEN live:Visible THEN 'Visible' ELSE 'Withdrawn' END) AS states
