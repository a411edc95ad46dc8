// Every artifact has an id of its own.
//
// access:  schema
// params:  none
// returns: nothing
CREATE CONSTRAINT memorepair_artifact_id IF NOT EXISTS
FOR (a:Artifact) REQUIRE a.id IS UNIQUE
