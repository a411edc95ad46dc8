// At most one contract in force for a tool in a space.
//
// access:  schema
// params:  none
// returns: nothing
CREATE CONSTRAINT memorepair_visible_tool IF NOT EXISTS
FOR (a:Visible) REQUIRE (a.space, a.tool) IS UNIQUE
