// Sources of a cascade that are not in it: their names, and how they stand.
//
// `nodes` are the database's own ids, as cascade/of_event or cascade/of_roots returned them in the same transaction.
//
// access:  read
// params:  nodes LIST<STRING>
// returns: nodes LIST<STRING>, ids LIST<STRING>, keys LIST<STRING>, states LIST<STRING>
CYPHER 25
UNWIND $nodes AS node
MATCH (source:Artifact)
WHERE elementId(source) = node
RETURN collect(node) AS nodes, collect(coalesce(toStringOrNull(source.id), node)) AS ids, collect(coalesce(toStringOrNull(source.key), '')) AS keys,
  collect(CASE WHEN source:Visible THEN 'Visible' WHEN source:Withdrawn THEN 'Withdrawn' WHEN source:Staged THEN 'Staged' ELSE 'Retired' END) AS states
