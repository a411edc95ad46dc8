// At most one visible version of a key in a space: what locks alone do not hold, since writers may hold different stripes.
//
// access:  schema
// params:  none
// returns: nothing
CREATE CONSTRAINT memorepair_visible_key IF NOT EXISTS
FOR (a:Visible) REQUIRE (a.space, a.key) IS UNIQUE
