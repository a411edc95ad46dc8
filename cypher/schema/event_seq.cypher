// The number of an event in its space: what `held_by` refers to.
//
// access:  schema
// params:  none
// returns: nothing
CREATE CONSTRAINT memorepair_event_seq IF NOT EXISTS
FOR (e:RepairEvent) REQUIRE (e.space, e.seq) IS UNIQUE
