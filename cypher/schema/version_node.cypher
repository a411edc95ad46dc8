// One node says which schema version the database has.
//
// access:  schema
// params:  none
// returns: nothing
CREATE CONSTRAINT memorepair_schema IF NOT EXISTS
FOR (s:MemoRepairSchema) REQUIRE s.name IS UNIQUE
