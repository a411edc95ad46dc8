// Lock the event that holds the withdrawn version of a draft's key, where there is one: the draft may take its place.
//
// It stands behind the gate: the order of locks is stripes, event, compare, write. That the event is closed is compared later,
// under this lock.

CALL () {
  OPTIONAL MATCH (left:Artifact {space: $space, key: $draft.key}) WHERE left:Withdrawn
  OPTIONAL MATCH (holder:RepairEvent {space: $space, seq: left.held_by})
  SET holder.lock = true
  REMOVE holder.lock
  RETURN count(holder) AS holders
}
WITH gates, holders
