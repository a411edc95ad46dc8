// Keep a derivation whose sources left service: stored withdrawn, under the latest open event that holds one of them.
//
// Nothing is served; the event's repair (or its retry) decides. Parameters are those of derive; refs are ids.
//
// access:  write
// params:  space STRING, draft MAP, sources LIST<MAP>
// returns: status STRING, rule STRING, detail STRING, id STRING
CYPHER 25
// begin block: all_stripes
UNWIND range(0, 15) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: all_stripes
CALL () {
  UNWIND $sources AS source
  MATCH (parent:Artifact {id: source.ref}) WHERE parent.space = $space AND NOT parent:Visible
  MATCH (holder:RepairEvent {space: $space, seq: parent.held_by})
  WITH DISTINCT holder ORDER BY holder.seq
  SET holder.lock = true
  REMOVE holder.lock
  RETURN count(holder) AS source_holders
}
// begin block: holder_lock
CALL () {
  OPTIONAL MATCH (left:Artifact {space: $space, key: $draft.key}) WHERE left:Withdrawn
  OPTIONAL MATCH (holder:RepairEvent {space: $space, seq: left.held_by})
  SET holder.lock = true
  REMOVE holder.lock
  RETURN count(holder) AS holders
}
WITH gates, holders
// end block: holder_lock
CALL () {
  UNWIND $sources AS source
  OPTIONAL MATCH (parent:Artifact {id: source.ref}) WHERE parent.space = $space AND NOT parent:Staged
  OPTIONAL MATCH (event:RepairEvent {space: $space, seq: parent.held_by})
    WHERE NOT parent:Visible AND event.status <> 'closed'
  WITH source, parent, event ORDER BY event.seq DESC
  WITH parent, event, coalesce(parent.id, source.ref) AS said, source.role AS role, collect(source)[0] AS source
  ORDER BY event.seq DESC
  RETURN collect({role: source.role, required: source.required, parent: parent}) AS parents,
    collect(CASE WHEN parent IS NULL THEN source.ref END) AS unknown, collect(event)[0] AS event
}
CALL (unknown, event) {
  WITH {key: $draft.key, kind: $draft.kind, tombstone: $draft.tombstone, identifies: $draft.identifies} AS draft
  // begin block: key_lookup
  OPTIONAL MATCH (live:Artifact {space: $space, key: draft.key}) WHERE live:Visible OR live:Withdrawn
  OPTIONAL MATCH (holder:RepairEvent {space: $space, seq: live.held_by}) WHERE live:Withdrawn
  OPTIONAL MATCH (contract:Visible {space: $space, tool: draft.tool})
  OPTIONAL MATCH (erased:Artifact {space: $space, tombstone: draft.tombstone})
    WHERE (erased.key = draft.key AND erased.kind = coalesce(draft.kind, 'record'))
      OR (coalesce(draft.identifies, true) AND EXISTS { (erased)<-[:ROOT]-() })
  WITH draft, live, holder, contract, collect(erased)[0] AS erased
  // end block: key_lookup
  RETURN live, CASE
      // begin block: draft_faults
      WHEN $draft.key IS NULL OR $draft.content IS NULL OR $draft.content_hash IS NULL
        OR NOT coalesce($draft.kind, '') IN ['record', 'cache', 'summary', 'skill']
        OR ($draft.kind = 'skill') <> (coalesce($draft.arch, '') IN ['neural', 'prompt', 'chain'])
        THEN ['bad_input', 'a derived artifact needs key, kind (record, cache, summary, skill), content and content_hash; a skill its arch']
      // end block: draft_faults
      WHEN size(unknown) > 0 AND EXISTS { (:Artifact {space: $space, key: unknown[0]}) }
        THEN ['out_of_service', unknown[0] + ' is a key with nothing in service: to keep what was derived, name the version that was read, by its id']
      WHEN size(unknown) > 0 THEN ['not_found', unknown[0] + ' is no artifact of this space']
      WHEN live:Withdrawn AND live.content_hash = $draft.content_hash AND live.held_by = event.seq THEN ['same', '']
      WHEN live:Visible OR holder.status <> 'closed' THEN ['key_taken', 'key ' + $draft.key + ' has a live version (' + live.id + ')']
      WHEN event IS NULL THEN ['out_of_service', 'no open event holds a source of ' + $draft.key + ': read again what is in service']
      WHEN erased IS NOT NULL THEN ['tombstoned', 'this content was erased from the space (artifact ' + erased.id
        + ', key ' + erased.key + ') and does not come back, unless that is forgiven (forgive)']
      ELSE ['', ''] END AS verdict
}
CALL (live, verdict, parents, event) {
  FILTER verdict[0] = ''
  WITH $draft AS draft, $draft AS template, EXISTS { (event)-[:AFFECTS]->() } AS accounted
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
  // A contract is a record: what is derived has no tool.
  REMOVE a.tool
  SET a:Withdrawn, a.held_by = event.seq
  FOREACH (p IN parents |
    FOREACH (source IN [p.parent] | CREATE (source)-[:INFLUENCES {role: p.role, required: p.required}]->(a)))
  SET event.arrivals = coalesce(event.arrivals, 0) + 1
  // An event that is planned again holds what its walk does not reach: sources that were published over are history.
  FOREACH (late IN CASE WHEN accounted OR event.status <> 'withdrawn' THEN [event] ELSE [] END |
    CREATE (late)-[:AFFECTS {mode: 'remove', outcome: CASE late.status WHEN 'withdrawn' THEN 'pending' ELSE 'not_executable' END,
      reason: CASE late.status WHEN 'withdrawn' THEN '' ELSE 'came after the plan' END, executable: false, selected: false,
      spent: 0.0}]->(a))
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
  // begin block: made_or_same
  RETURN a.id AS made
  UNION
  WITH live, verdict
  FILTER verdict[0] = 'same'
  RETURN live.id AS made
  UNION
  WITH live, verdict
  FILTER NOT verdict[0] IN ['', 'same']
  RETURN NULL AS made
  // end block: made_or_same
}
RETURN CASE WHEN made IS NULL THEN 'refused' ELSE 'done' END AS status, verdict[0] AS rule, verdict[1] AS detail, made AS id
