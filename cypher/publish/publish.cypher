// Put validated successors into service and retire what they succeed; all of a call, or none.
//
// `rows` holds maps {id, old, content_hash, supports, tombstone, identifies}: the draft, the withdrawn version, the hash that
// was validated, how many supports it rests on, and what record compares with tombstones. Erased content offends first, alone. Each support must be in service, or be published in the same call.
//
// access:  write
// params:  space STRING, event_id STRING, attempt INTEGER, rows LIST<MAP>
// returns: status STRING, rule STRING, detail STRING, offenders LIST<STRING>
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
WITH event, CASE
  // begin block: claim
  WHEN event IS NULL THEN ['not_found', 'no event ' + $event_id + ' in this space']
  WHEN event.attempt <> $attempt THEN ['claim_lost', 'another worker has event ' + $event_id]
  // end block: claim
  WHEN event.status <> 'repairing' THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status]
  ELSE ['', ''] END AS verdict
CALL (event, verdict) {
  FILTER verdict[0] = ''
  WITH event, [row IN $rows | row.id] AS ids
  UNWIND $rows AS row
  OPTIONAL MATCH (draft:Artifact {id: row.id})
  OPTIONAL MATCH (old:Artifact {id: row.old})
  OPTIONAL MATCH (event)-[r:AFFECTS]->(old)
  CALL (row, old) {
    WITH {key: old.key, kind: old.kind, tombstone: row.tombstone, identifies: row.identifies} AS draft
    // begin block: erased
    OPTIONAL MATCH (erased:Artifact {space: $space, tombstone: draft.tombstone})
      WHERE (erased.key = draft.key AND erased.kind = coalesce(draft.kind, 'record'))
        OR (coalesce(draft.identifies, true) AND EXISTS { (erased)<-[:ROOT]-() })
    // end block: erased
    RETURN count(erased) > 0 AS back
  }
  WITH event, row, draft, old, r, back, COUNT { (s)-[:INFLUENCES]->(draft) } AS edges,
    COUNT { (s)-[:INFLUENCES]->(draft) WHERE s:Visible OR s.id IN ids } AS standing
  RETURN collect(CASE WHEN coalesce(draft:Staged AND draft.held_by = event.seq AND draft.space = $space AND draft.key = old.key
    AND draft.content_hash = row.content_hash AND old:Withdrawn AND old.held_by = event.seq AND r.selected
    AND r.outcome = 'pending' AND r.validated = row.content_hash AND edges = row.supports AND standing = edges, false)
    THEN NULL ELSE row.old END) AS unfit, collect(CASE WHEN back THEN row.old END) AS resurrected
}
WITH event, verdict, resurrected, CASE WHEN size(resurrected) > 0 THEN resurrected ELSE unfit END AS offenders
CALL (event, verdict, offenders) {
  FILTER verdict[0] = '' AND size(offenders) = 0
  UNWIND $rows AS row
  MATCH (draft:Artifact {id: row.id})
  MATCH (old:Artifact {id: row.old})
  // OPTIONAL, so that the edge is looked up between two nodes that are known, instead of walking all edges of the event.
  OPTIONAL MATCH (event)-[r:AFFECTS]->(old)
  REMOVE draft:Staged
  SET draft:Visible, draft.version = coalesce(old.version, 0) + 1, draft.published_at = datetime(), draft.held_by = 0
  REMOVE old:Withdrawn
  SET old:Retired, old.retired_at = datetime(), r.outcome = 'published'
  CREATE (draft)-[:SUPERSEDES]->(old)
  WITH old AS gone
  // begin block: turn_edges
  MATCH (source)-[edge:INFLUENCES]->(gone)
  CREATE (source)-[past:INFLUENCED]->(gone)
  SET past = properties(edge)
  DELETE edge
  // end block: turn_edges
  RETURN count(*) AS turned
}
CALL (verdict, offenders) {
  FILTER size(offenders) = 0 AND verdict[0] = ''
  UNWIND $rows AS row
  MATCH (gone:Artifact {id: row.old})
  // begin block: semantic_edges
  MATCH (gone)-[near:SEMANTIC]-(:Artifact)
  WITH DISTINCT near, startNode(near) AS source, endNode(near) AS target
  OPTIONAL MATCH (source)<-[:SUPERSEDES]-(source_next) WHERE source_next:Visible OR source_next:Withdrawn
  OPTIONAL MATCH (target)<-[:SUPERSEDES]-(target_next) WHERE target_next:Visible OR target_next:Withdrawn
  FILTER source_next IS NOT NULL OR target_next IS NOT NULL
  WITH near, coalesce(source_next, source) AS source, coalesce(target_next, target) AS target
  MERGE (source)-[moved:SEMANTIC]->(target)
  ON CREATE SET moved = properties(near)
  DELETE near
  // end block: semantic_edges
  RETURN count(*) AS moved
}
WITH CASE WHEN verdict[0] <> '' THEN verdict
  WHEN size(resurrected) > 0 THEN ['tombstoned', 'holds content that was erased from this space: ' + resurrected[0]]
  WHEN size(offenders) > 0 THEN ['out_of_service', 'taken by a later event, not validated, or resting on what left service: ' + offenders[0]]
  ELSE verdict END AS verdict, offenders
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail, offenders
