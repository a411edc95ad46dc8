// Put a batch of artifacts into service, with their influence edges, or none of them.
//
// `lines` holds maps as `draft` of derive, each with `sources` [{ref, role, required}], ref a key: of this batch, or in service.
//
// access:  write
// params:  space STRING, lines LIST<MAP>
// returns: status STRING, detail STRING, faults LIST<MAP>, created INTEGER
CYPHER 25
// begin block: one_stripe
WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: one_stripe
CALL () {
  UNWIND $lines AS line
  MATCH (left:Artifact {space: $space, key: line.key}) WHERE left:Withdrawn
  WITH DISTINCT left.held_by AS seq ORDER BY seq
  MATCH (holder:RepairEvent {space: $space, seq: seq})
  SET holder.lock = true
  REMOVE holder.lock
  RETURN count(holder) AS holders
}
WITH gates, holders
CALL () {
  UNWIND $lines AS draft
  // begin block: key_lookup
  OPTIONAL MATCH (live:Artifact {space: $space, key: draft.key}) WHERE live:Visible OR live:Withdrawn
  OPTIONAL MATCH (holder:RepairEvent {space: $space, seq: live.held_by}) WHERE live:Withdrawn
  OPTIONAL MATCH (contract:Visible {space: $space, tool: draft.tool})
  OPTIONAL MATCH (erased:Artifact {space: $space, tombstone: draft.tombstone})
    WHERE (erased.key = draft.key AND erased.kind = coalesce(draft.kind, 'record'))
      OR (coalesce(draft.identifies, true) AND EXISTS { (erased)<-[:ROOT]-() })
  WITH draft, live, holder, contract, collect(erased)[0] AS erased
  // end block: key_lookup
  WITH draft, CASE
    WHEN live:Visible THEN 'has a version in service (' + live.id + ') with another content or other sources: use correct or migrate'
    WHEN live:Withdrawn AND holder.status <> 'closed' THEN 'is withdrawn by event ' + holder.id + ', which is still open'
    WHEN contract IS NOT NULL AND contract.key <> draft.key THEN 'is a contract of tool ' + draft.tool + ', which has one under key ' + contract.key
    WHEN erased IS NOT NULL THEN 'holds content that was erased from this space (artifact ' + erased.id
      + ', key ' + erased.key + '), which does not come back, unless that is forgiven (forgive)'
    END AS fault
  RETURN collect(CASE WHEN fault IS NOT NULL THEN {key: draft.key, fault: fault} END) AS taken
}
CALL () {
  WITH [line IN $lines | line.key] AS inside
  CALL (inside) {
    UNWIND $lines AS line
    UNWIND line.sources AS source
    WITH DISTINCT inside, source.ref AS ref
    FILTER NOT ref IN inside AND NOT EXISTS { (:Visible {space: $space, key: ref}) }
    RETURN collect(ref) AS unknown
  }
  RETURN CASE WHEN size(unknown) = 0 THEN [] ELSE [line IN $lines WHERE any(source IN line.sources WHERE source.ref IN unknown) |
    {key: line.key, fault: 'names a source that is not in service: '
      + [source IN line.sources WHERE source.ref IN unknown | source.ref][0]}] END AS orphans
}
WITH taken + orphans AS faults
CALL (faults) {
  FILTER size(faults) = 0
  CALL () {
    UNWIND $lines AS draft
    OPTIONAL MATCH (live:Artifact {space: $space, key: draft.key}) WHERE live:Withdrawn
    WITH live, draft, draft AS template
    // begin block: last_version
    CALL (draft) {
      OPTIONAL MATCH (older:Artifact {space: $space, key: draft.key}) WHERE older.version IS NOT NULL
      RETURN older AS last
      ORDER BY older.version DESC
      LIMIT 1
    }
    // end block: last_version
    // begin block: new_version
    CREATE (a:Artifact {
      id: coalesce(draft.id, randomUUID()), key: template.key, space: $space, version: coalesce(last.version, 0) + 1,
      created_at: datetime(), held_by: 0,
      content: draft.content, blob: draft.blob, content_hash: draft.content_hash, embedding: draft.embedding, metadata: draft.metadata,
      kind: template.kind, arch: template.arch, operator: template.operator, recipe: template.recipe, value: template.value,
      cost: template.cost, tool: template.tool,
      search_text:
        normalize(reduce(form = toLower(replace(normalize(draft.content, NFKD), 'Σ', 'σ')), fold IN [['ß', 'ss'], ['ς', 'σ'], ['\u0345', 'ι'],
          ['ı', 'i'], ['i\u0307', 'i'], ['\u00ad', ''], ['\u200c', ''], ['\u200d', ''], ['\u2060', ''], ['\ufeff', '']] |
          replace(form, fold[0], fold[1])), NFKC)
    })
    // end block: new_version
    SET a:Visible, a.published_at = datetime()
    // begin block: prior_versions
    FOREACH (prior IN CASE WHEN last IS NULL THEN [] ELSE [last] END | CREATE (a)-[:SUPERSEDES]->(prior))
    FOREACH (prior IN CASE WHEN live IS NULL THEN [] ELSE [live] END | REMOVE prior:Withdrawn SET prior:Retired)
    WITH a, live AS gone
    CALL (gone) {
      MATCH (source)-[edge:INFLUENCES]->(gone)
      CREATE (source)-[past:INFLUENCED]->(gone)
      SET past = properties(edge)
      DELETE edge
      RETURN count(*) AS turned
    }
    CALL (gone) {
      MATCH (gone)-[near:SEMANTIC]-(:Artifact)
      WITH DISTINCT near, startNode(near) AS source, endNode(near) AS target
      OPTIONAL MATCH (source)<-[:SUPERSEDES]-(source_next) WHERE source_next:Visible OR source_next:Withdrawn
      OPTIONAL MATCH (target)<-[:SUPERSEDES]-(target_next) WHERE target_next:Visible OR target_next:Withdrawn
      FILTER source_next IS NOT NULL OR target_next IS NOT NULL
      WITH near, coalesce(source_next, source) AS source, coalesce(target_next, target) AS target
      MERGE (source)-[moved:SEMANTIC]->(target)
      ON CREATE SET moved = properties(near)
      DELETE near
      RETURN count(*) AS moved
    }
    // end block: prior_versions
    RETURN count(*) AS written
  }
  CALL () {
    UNWIND $lines AS line
    MATCH (a:Visible {space: $space, key: line.key})
    UNWIND line.sources AS source
    MATCH (parent:Visible {space: $space, key: source.ref})
    CREATE (parent)-[:INFLUENCES {role: source.role, required: source.required}]->(a)
    RETURN count(*) AS edges
  }
  RETURN size($lines) AS created
UNION
  WITH faults
  FILTER size(faults) > 0
  RETURN 0 AS created
}
RETURN CASE WHEN size(faults) = 0 THEN 'done' ELSE 'refused' END AS status,
  coalesce(faults[0].key + ' ' + faults[0].fault, '') AS detail, faults, created
