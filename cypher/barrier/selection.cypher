// An event by what its roots were selected by, as a keyed hash; no row where there is no such event.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: type STRING, selection STRING, seq INTEGER, affected INTEGER
MATCH (event:RepairEvent {space: $space, id: $event_id})
RETURN event.type AS type, coalesce(event.selection, '') AS selection, event.seq AS seq, coalesce(event.affected, 0) AS affected
