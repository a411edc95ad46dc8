// Lay successors down as staged drafts, validated for their hash but not in service; all of a call, or none.
//
// `rows` holds maps {id, old, content, blob, content_hash, tombstone, identifies, embedding, metadata, recipe, checks, reason,
// spent, supports: [{id, role, required}]}; `old` is the withdrawn version, `id` contains the attempt, so a draft is always new.
// Without `recipe` the old one is kept. Erased content (tombstone and identifies as for record) offends first, alone.
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
// begin block: in_repair
WITH event, CASE
  WHEN event IS NULL THEN ['not_found', 'no event ' + $event_id + ' in this space']
  WHEN event.attempt <> $attempt THEN ['claim_lost', 'another worker has event ' + $event_id]
  WHEN NOT event.status IN ['planned', 'repairing'] THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status]
  ELSE ['', ''] END AS verdict
// end block: in_repair
CALL (event, verdict) {
  FILTER verdict[0] = ''
  UNWIND $rows AS row
  OPTIONAL MATCH (old:Artifact {id: row.old})
  OPTIONAL MATCH (event)-[r:AFFECTS]->(old)
  WITH event, row, old, r, COUNT {
    UNWIND row.supports AS support
    MATCH (s:Artifact {id: support.id})
    WHERE s.space = $space AND (s:Visible OR (s:Staged AND s.held_by = event.seq))
    RETURN s } AS standing
  CALL (row, old) {
    WITH {key: old.key, kind: old.kind, tombstone: row.tombstone, identifies: row.identifies} AS draft
    // begin block: erased
    OPTIONAL MATCH (erased:Artifact {space: $space, tombstone: draft.tombstone})
      WHERE (erased.key = draft.key AND erased.kind = coalesce(draft.kind, 'record'))
        OR (coalesce(draft.identifies, true) AND EXISTS { (erased)<-[:ROOT]-() })
    // end block: erased
    RETURN count(erased) > 0 AS back
  }
  RETURN collect(CASE WHEN coalesce(old:Withdrawn AND old.held_by = event.seq AND r.selected AND r.outcome = 'pending'
    AND standing = size(row.supports) AND standing > 0, false) THEN NULL ELSE row.old END) AS unfit,
    collect(CASE WHEN back THEN row.old END) AS resurrected
}
WITH event, verdict, resurrected, CASE WHEN size(resurrected) > 0 THEN resurrected ELSE unfit END AS offenders
CALL (event, verdict, offenders) {
  FILTER verdict[0] = '' AND size(offenders) = 0
  // begin block: repairing
  SET event.status = 'repairing'
  WITH event
  // end block: repairing
  UNWIND $rows AS row
  MATCH (old:Artifact {id: row.old})
  // OPTIONAL, so that the edge is looked up between two nodes that are known, instead of walking all edges of the event.
  OPTIONAL MATCH (event)-[r:AFFECTS]->(old)
  WITH event, row, r, row AS draft, old AS template
  CREATE (a:Artifact:Staged {
    id: draft.id, key: template.key, space: $space, created_at: datetime(), held_by: event.seq,
    // begin block: properties
    content: draft.content, blob: draft.blob, content_hash: draft.content_hash, embedding: draft.embedding, metadata: draft.metadata,
    kind: template.kind, arch: template.arch, operator: template.operator, recipe: template.recipe, value: template.value,
    cost: template.cost, tool: template.tool,
    search_text:
      normalize(reduce(form = toLower(replace(normalize(draft.content, NFKD), 'Σ', 'σ')), fold IN [['ß', 'ss'], ['ς', 'σ'], ['\u0345', 'ι'],
        ['ı', 'i'], ['i\u0307', 'i'], ['\u00ad', ''], ['\u200c', ''], ['\u200d', ''], ['\u2060', ''], ['\ufeff', '']] |
        replace(form, fold[0], fold[1])), NFKC)
    // end block: properties
  })
  // A contract is a record: what is derived has no tool. Its recipe is the old one without what quoted retracted text.
  REMOVE a.tool
  SET a.recipe = CASE WHEN 'recipe' IN keys(row) THEN row.recipe ELSE a.recipe END, r.validated = row.content_hash,
    r.reason = coalesce(row.reason, r.reason), r.checks = row.checks, r.spent = coalesce(r.spent, 0.0) + row.spent
  WITH a, row
  UNWIND row.supports AS support
  MATCH (s:Artifact {id: support.id})
  CREATE (s)-[:INFLUENCES {role: support.role, required: support.required}]->(a)
  RETURN count(*) AS edges
}
WITH CASE WHEN verdict[0] <> '' THEN verdict
  WHEN size(resurrected) > 0 THEN ['tombstoned', 'holds content that was erased from this space: ' + resurrected[0]]
  WHEN size(offenders) > 0 THEN ['out_of_service', 'taken by a later event, or resting on what left service: ' + offenders[0]]
  ELSE verdict END AS verdict, offenders
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail, offenders
