// Note what became of affected artifacts that got no successor; they stay withdrawn, and their drafts are dropped.
//
// `rows` holds maps {id, outcome, reason, checks, spent}; only what is still pending is written. What a later event took ends in
// a conflict, whatever came of it here.
//
// access:  write
// params:  space STRING, event_id STRING, attempt INTEGER, rows LIST<MAP>
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
  UNWIND $rows AS row
  MATCH (a:Artifact {id: row.id})
  // OPTIONAL, so that the edge is looked up between two nodes that are known, instead of walking all edges of the event.
  OPTIONAL MATCH (event)-[r:AFFECTS]->(a)
  WITH row, r, row.outcome = 'conflict' OR (a:Withdrawn AND a.held_by = event.seq) AS ours
  WHERE r.outcome = 'pending'
  SET r.outcome = CASE WHEN ours THEN row.outcome ELSE 'conflict' END,
    r.reason = CASE WHEN ours THEN coalesce(row.reason, r.reason) ELSE 'a later event took it' END,
    r.checks = coalesce(row.checks, r.checks), r.spent = coalesce(r.spent, 0.0) + coalesce(row.spent, 0.0)
  RETURN count(r) AS written
}
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail, written
