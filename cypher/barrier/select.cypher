// Note what the roots of an event were selected by, as a keyed hash: asked again, the event is known, also once it was erased.
//
// access:  write
// params:  space STRING, event_id STRING, selection STRING
// returns: event_id STRING
MATCH (event:RepairEvent {space: $space, id: $event_id})
SET event.selection = $selection
RETURN event.id AS event_id
