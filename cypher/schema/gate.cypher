// One node for each stripe of a space's gate; writers of a space take turns on them.
//
// access:  schema
// params:  none
// returns: nothing
CREATE CONSTRAINT memorepair_gate IF NOT EXISTS
FOR (g:Gate) REQUIRE (g.space, g.stripe) IS UNIQUE
