// A repair event is named once in a space.
//
// access:  schema
// params:  none
// returns: nothing
CREATE CONSTRAINT memorepair_event_id IF NOT EXISTS
FOR (e:RepairEvent) REQUIRE (e.space, e.id) IS UNIQUE
