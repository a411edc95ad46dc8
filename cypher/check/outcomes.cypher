// A closed event has an outcome for everything it affects.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
MATCH (event:RepairEvent {space: $space, status: 'closed'})-[r:AFFECTS]->(a)
WHERE r.outcome IS NULL OR r.outcome = 'pending'
RETURN a.id AS id, a.key AS key, 'has no outcome, and event ' + event.id + ' is closed' AS detail
