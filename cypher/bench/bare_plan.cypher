// The edges of a plan alone, as columns: nothing is locked, compared or looked up again.
//
// access:  write
// params:  space STRING, event_id STRING, ids LIST<STRING>, reasons LIST<STRING>, predecessors LIST<LIST<STRING>>
// returns: written INTEGER
CYPHER 25
MERGE (event:RepairEvent {space: $space, id: $event_id})
WITH event
UNWIND range(0, size($ids) - 1) AS n
MATCH (a:Artifact {id: $ids[n]})
CREATE (event)-[r:AFFECTS {mode: 'regen', operator: 'instant@1', value: 1.0, cost: 100.0, executable: true, selected: true,
  outcome: 'pending', reason: $reasons[n], predecessors: $predecessors[n], level: 1, spent: 0.0}]->(a)
RETURN count(r) AS written
