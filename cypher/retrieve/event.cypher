// A repair event and what became of everything it affects, as columns; no row where there is no such event.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: event NODE, ids LIST<STRING>, keys LIST<STRING>, states LIST<STRING>, holders LIST<INTEGER>, modes LIST<STRING>, outcomes LIST<STRING>, reasons LIST<STRING>, spent LIST<FLOAT>
CYPHER 25
MATCH (event:RepairEvent {space: $space, id: $event_id})
OPTIONAL MATCH (event)-[r:AFFECTS]->(a)
WITH event, r, a
ORDER BY a.key, a.version
RETURN event, collect(a.id) AS ids, collect(a.key) AS keys,
  collect(CASE WHEN a IS NOT NULL THEN CASE WHEN a:Visible THEN 'Visible' WHEN a:Withdrawn THEN 'Withdrawn' ELSE 'Retired' END END) AS states,
  collect(a.held_by) AS holders, collect(r.mode) AS modes, collect(r.outcome) AS outcomes, collect(CASE WHEN r IS NOT NULL THEN coalesce(r.reason, '') END) AS reasons,
  collect(CASE WHEN r IS NOT NULL THEN coalesce(r.spent, 0.0) END) AS spent
