// Retire affected artifacts that have no successor to wait for: outcome `removed`. What a later event took is noted as a conflict.
//
// access:  write
// params:  space STRING, event_id STRING, attempt INTEGER, ids LIST<STRING>
// returns: status STRING, rule STRING, detail STRING, written INTEGER
CYPHER 25
// begin block: one_stripe
WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: one_stripe
// begin block: event_lock
CALL () {
  MATCH (event:RepairEvent {space: $space, id: $event_id})
  SET event.lock = true
  REMOVE event.lock
  RETURN count(event) AS events
}
WITH gates, events
OPTIONAL MATCH (event:RepairEvent {space: $space, id: $event_id})
// end block: event_lock
// begin block: in_repair
WITH event, CASE
  WHEN event IS NULL THEN ['not_found', 'no event ' + $event_id + ' in this space']
  WHEN event.attempt <> $attempt THEN ['claim_lost', 'another worker has event ' + $event_id]
  WHEN NOT event.status IN ['planned', 'repairing'] THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status]
  ELSE ['', ''] END AS verdict
// end block: in_repair
CALL (event, verdict) {
  FILTER verdict[0] = ''
  // begin block: repairing
  SET event.status = 'repairing'
  WITH event
  // end block: repairing
  UNWIND $ids AS id
  MATCH (a:Artifact {id: id})
  // OPTIONAL, so that the edge is looked up between two nodes that are known, instead of walking all edges of the event.
  OPTIONAL MATCH (event)-[r:AFFECTS]->(a)
  WITH event, r, a
  WHERE r.outcome = 'pending'
  WITH r, a, coalesce(a:Withdrawn AND a.held_by = event.seq, false) AS held
  SET r.outcome = CASE WHEN held THEN 'removed' ELSE 'conflict' END,
    r.reason = CASE WHEN held THEN r.reason ELSE 'a later event took it' END
  FOREACH (gone IN CASE WHEN held THEN [a] ELSE [] END | REMOVE gone:Withdrawn SET gone:Retired, gone.retired_at = datetime())
  RETURN count(r) AS written, collect(CASE WHEN held THEN a END) AS retired
}
CALL (retired) {
  UNWIND retired AS gone
  // begin block: turn_edges
  MATCH (source)-[edge:INFLUENCES]->(gone)
  CREATE (source)-[past:INFLUENCED]->(gone)
  SET past = properties(edge)
  DELETE edge
  // end block: turn_edges
  RETURN count(*) AS turned
}
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail, written
