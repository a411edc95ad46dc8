// Lock the node of a repair event, then read the event: for every write on behalf of an event.
//
// It stands behind the gate: the order of locks is stripes, event, compare, write. The subquery locks the node; the MATCH behind
// it reads what is true under the lock. A form that compared status, attempt and holder without the lock let two workers both
// publish in 29 of 30 raced rounds.

CALL () {
  MATCH (event:RepairEvent {space: $space, id: $event_id})
  SET event.lock = true
  REMOVE event.lock
  RETURN count(event) AS events
}
WITH gates, events
OPTIONAL MATCH (event:RepairEvent {space: $space, id: $event_id})
