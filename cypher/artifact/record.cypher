// Put a record, or a tool's contract, into service: an artifact that nothing in memory influenced.
//
// `draft` holds key, content and content_hash (SHA-256, hex), and may hold id, tool, value, cost, metadata (JSON),
// embedding, tombstone (the keyed hash) and identifies (whether the text tells by itself whom it is about; unsaid: it does).
// Saying the same again returns the live version.
//
// access:  write
// params:  space STRING, draft MAP
// returns: status STRING, rule STRING, detail STRING, id STRING
CYPHER 25
// begin block: one_stripe
WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: one_stripe
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
  WITH $draft AS draft
  // begin block: key_lookup
  OPTIONAL MATCH (live:Artifact {space: $space, key: draft.key}) WHERE live:Visible OR live:Withdrawn
  OPTIONAL MATCH (holder:RepairEvent {space: $space, seq: live.held_by}) WHERE live:Withdrawn
  OPTIONAL MATCH (contract:Visible {space: $space, tool: draft.tool})
  OPTIONAL MATCH (erased:Artifact {space: $space, tombstone: draft.tombstone})
    WHERE (erased.key = draft.key AND erased.kind = coalesce(draft.kind, 'record'))
      OR (coalesce(draft.identifies, true) AND EXISTS { (erased)<-[:ROOT]-() })
  WITH draft, live, holder, contract, collect(erased)[0] AS erased
  // end block: key_lookup
  WITH live, CASE
      WHEN live IS NOT NULL AND live.kind = 'record' AND live.content_hash = $draft.content_hash
        AND coalesce(live.tool, '') = coalesce($draft.tool, '') AND live.operator IS NULL
        AND NOT EXISTS { (live)<-[:INFLUENCES]-() } THEN ['same', '']
      WHEN $draft.key IS NULL OR $draft.content IS NULL OR $draft.content_hash IS NULL
        THEN ['bad_input', 'a record needs key, content and content_hash']
      // begin block: obstacles
      WHEN live:Visible THEN ['key_taken', 'key ' + draft.key + ' has a version in service (' + live.id + '): use '
        + CASE WHEN live.tool IS NULL THEN 'correct' ELSE 'migrate' END + ' to change it']
      WHEN live:Withdrawn AND holder.status <> 'closed' THEN ['key_taken', 'key ' + draft.key
        + ' is withdrawn by event ' + holder.id + ', which is still open: finish it first (resume)']
      WHEN contract IS NOT NULL AND contract.key <> draft.key THEN ['key_taken', 'tool ' + draft.tool
        + ' has a contract in force under key ' + contract.key + ': use migrate to change it']
      WHEN erased IS NOT NULL THEN ['tombstoned', 'this content was erased from the space (artifact ' + erased.id
        + ', key ' + erased.key + ') and does not come back, unless that is forgiven (forgive)']
      ELSE ['', ''] END AS verdict
      // end block: obstacles
  RETURN live, verdict
}
CALL (live, verdict) {
  FILTER verdict[0] = ''
  WITH $draft AS draft, $draft AS template
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
  // A record is a source: no operator made it.
  SET a:Visible, a.published_at = datetime(), a.kind = 'record'
  REMOVE a.arch, a.blob, a.operator, a.recipe
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
