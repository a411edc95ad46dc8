// What is out of service and could still come back, by which event, and why it is not back.
//
// access:  read
// params:  space STRING
// returns: key STRING, id STRING, kind STRING, event_id STRING, event_status STRING, outcome STRING, reason STRING
MATCH (event:RepairEvent {space: $space})-[r:AFFECTS]->(a:Withdrawn)
WHERE a.held_by = event.seq
RETURN a.key AS key, a.id AS id, a.kind AS kind, event.id AS event_id, event.status AS event_status,
  r.outcome AS outcome, r.reason AS reason
ORDER BY key
