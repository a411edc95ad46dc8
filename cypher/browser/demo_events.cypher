// Draw the demo's events: what each replaced or deleted, and what became of everything that was derived from it.
//
// access:  read
// params:
// returns: path PATH
MATCH path = (event:RepairEvent {space: 'memorepair_demo'})-[:ROOT|AFFECTS]->(artifact)
RETURN path
