// Withdraw everything derived from the roots, in one transaction: the barrier of a repair event.
//
// `roots` are keys (the live version) or ids. `replacements` holds, for a correction or a migration, maps
// {root, id, content, content_hash, tombstone, identifies, tool, metadata, clears_metadata, same_as, kept}; a root of a
// migration without one retires its tool. For a deletion it is empty. The same event id with the same request changes nothing
// and returns the same row.
//
// A root in service that holds this content already (`content_hash`, or `same_as`, the hash of an equal one) is left as it is
// but for the metadata that was given; where all are, the event closes at once and affects nothing; its `notes` say so.
// A corrected root has the `metadata` that was given, or `kept` {of, was, metadata, dropped}: what is left of the metadata
// `was` of the version `of` without the fields `dropped`. A migrated contract keeps what it had.
// What is withdrawn stays in the database as text until it is erased.
//
// access:  write
// params:  space STRING, event_id STRING, type STRING, roots LIST<STRING>, replacements LIST<MAP>, delta STRING, reason STRING, actor STRING
// returns: status STRING, rule STRING, detail STRING, event_id STRING, seq INTEGER, affected INTEGER
CYPHER 25
// begin block: all_stripes
UNWIND range(0, 15) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: all_stripes
MATCH (counter:Gate {space: $space, stripe: 0})
WITH counter, [$type] + $roots + [r IN $replacements |
  r.root + ' ' + coalesce(r.content_hash, '') + coalesce(' ' + r.metadata, '')] AS request
CALL () {
  OPTIONAL MATCH (known:RepairEvent {space: $space, id: $event_id})
  // An erasure leaves of a request what the graph says: its type and its roots.
  RETURN known, known.request = [] AND known.type = $type AND size($roots) = COUNT { (known)-[:ROOT]->() }
    AND all(ref IN $roots WHERE EXISTS { (known)-[:ROOT]->(root) WHERE root.key = ref OR root.id = ref }) AS emptied
}
CALL () {
  // begin block: named_roots
  UNWIND $roots AS ref
  OPTIONAL MATCH (named:Artifact {id: ref}) WHERE named.space = $space AND (named:Visible OR named:Withdrawn)
  OPTIONAL MATCH (keyed:Artifact {space: $space, key: ref}) WHERE keyed:Visible OR keyed:Withdrawn
  WITH ref, coalesce(named, keyed) AS root
  // end block: named_roots
  RETURN collect(CASE WHEN root IS NULL THEN ref END) AS missing, collect(root) AS found, collect(DISTINCT root) AS roots,
    collect({ref: ref, root: root}) AS resolved
}
CALL (missing) {
  UNWIND missing[0..1] AS ref
  OPTIONAL MATCH (gone:Artifact {id: ref})
  RETURN CASE WHEN gone IS NULL THEN ref + ' has no version in service or withdrawn in this space'
    WHEN gone.space <> $space THEN ref + ' belongs to another space'
    ELSE ref + ' is history (' + [l IN labels(gone) WHERE l <> 'Artifact'][0] + '); name the live version' END AS why
  UNION
  FILTER size(missing) = 0
  RETURN '' AS why
}
CALL (resolved) {
  UNWIND $replacements AS new
  WITH new, [pair IN resolved WHERE pair.ref = new.root | pair.root][0] AS root
  WITH new, root, {key: root.key, kind: root.kind, tombstone: new.tombstone, identifies: new.identifies} AS draft
  // begin block: erased
  OPTIONAL MATCH (erased:Artifact {space: $space, tombstone: draft.tombstone})
    WHERE (erased.key = draft.key AND erased.kind = coalesce(draft.kind, 'record'))
      OR (coalesce(draft.identifies, true) AND EXISTS { (erased)<-[:ROOT]-() })
  // end block: erased
  WITH new, root, collect(erased)[0] AS erased
  WITH new, root, erased, coalesce(root:Visible AND (root.content_hash = new.content_hash OR root.content_hash = new.same_as), false) AS equal
  RETURN collect(CASE WHEN root IS NULL THEN new.root END) AS stray,
    collect(CASE WHEN erased IS NOT NULL AND NOT equal THEN new.root + ' (artifact ' + erased.id + ', key ' + erased.key + ')' END) AS resurrected,
    collect(CASE WHEN NOT equal THEN {root: root, new: new} END) AS pairs, collect(CASE WHEN equal THEN {root: root, new: new} END) AS equals
}
WITH counter, request, known, emptied, pairs, equals, [root IN roots WHERE NOT root IN [pair IN equals | pair.root]] AS changed, CASE
  WHEN known IS NOT NULL AND (known.request = request OR emptied) THEN ['same', '']
  WHEN known IS NOT NULL THEN ['event_conflict', 'event ' + $event_id + ' exists with another request: give this one an id of its own']
  WHEN NOT $type IN ['delete', 'correct', 'migrate'] THEN ['bad_input', 'type is delete, correct or migrate']
  WHEN size($roots) = 0 THEN ['bad_input', 'an event names at least one root']
  WHEN size(missing) > 0 THEN ['not_found', why]
  WHEN size(found) > size(roots) THEN ['bad_input', 'a root is named twice']
  WHEN size(stray) > 0 THEN ['bad_input', 'a replacement is for ' + stray[0] + ', which is no root of the event']
  WHEN $type = 'delete' AND size($replacements) > 0 THEN ['bad_input', 'a deletion has no replacements']
  WHEN size($replacements) > size(roots) THEN ['bad_input', 'a root has two replacements']
  WHEN $type = 'correct' AND size($replacements) < size(roots) THEN ['bad_input', 'a correction has a replacement for each root']
  WHEN any(r IN $replacements WHERE r.content IS NULL OR r.content_hash IS NULL) THEN ['bad_input', 'a replacement needs content and content_hash']
  WHEN $type = 'correct' AND any(root IN roots WHERE root.tool IS NOT NULL)
    THEN ['bad_input', [root IN roots WHERE root.tool IS NOT NULL | root.key][0] + ' is a tool contract: migrate it']
  WHEN $type = 'migrate' AND any(root IN roots WHERE root.tool IS NULL)
    THEN ['bad_input', [root IN roots WHERE root.tool IS NULL | root.key][0] + ' is no tool contract: correct it']
  WHEN $type = 'migrate' AND any(pair IN pairs WHERE pair.new.tool <> pair.root.tool)
    THEN ['bad_input', [pair IN pairs WHERE pair.new.tool <> pair.root.tool | pair.root.key + ' is the contract of tool '
      + pair.root.tool + ', and the new one calls itself ' + pair.new.tool + ': retire it, and record the new one with "x-replaces": "'
      + pair.root.tool + '"'][0]]
  WHEN size(resurrected) > 0 THEN ['tombstoned', 'the replacement of ' + resurrected[0]
    + ' was erased from this space and does not come back, unless that is forgiven (forgive)']
  ELSE ['', ''] END AS verdict
CALL (counter, request, changed, pairs, equals, verdict) {
  FILTER verdict[0] = ''
  SET counter.seq = coalesce(counter.seq, 0) + 1
  CREATE (event:RepairEvent {id: $event_id, space: $space, seq: counter.seq, type: $type, status: 'withdrawn', request: request,
    delta: $delta, reason: $reason, actor: $actor, attempt: 0, lease_until: 0, arrivals: 0, created_at: datetime()})
  SET event.notes = [pair IN equals | pair.root.key + ' holds this content already: it '
      + CASE WHEN pair.new.metadata IS NOT NULL OR pair.new.clears_metadata THEN 'got other metadata, and no more' ELSE 'was left as it is' END]
    + [pair IN pairs WHERE pair.new.metadata IS NULL AND pair.new.kept.dropped <> '' AND pair.root.metadata = pair.new.kept.was
      | 'the metadata of ' + pair.root.key + ' lost ' + pair.new.kept.dropped + ', which said what was corrected']
    + [pair IN pairs WHERE pair.new.kept.was <> coalesce(pair.root.metadata, '') OR pair.new.kept.of <> pair.root.id
      | 'the metadata of ' + pair.root.key + ' was dropped: it changed while it was read']
  FOREACH (closed IN CASE WHEN size(changed) = 0 THEN [event] ELSE [] END | SET closed.status = 'closed', closed.closed_at = datetime(),
    closed.spent = 0.0, closed.published = 0, closed.removed = 0, closed.unrepaired = 0)
  FOREACH (pair IN equals | FOREACH (root IN CASE WHEN pair.new.metadata IS NOT NULL OR pair.new.clears_metadata THEN [pair.root] ELSE [] END |
    SET root.metadata = pair.new.metadata))
  FOREACH (root IN changed | CREATE (event)-[:ROOT]->(root))
  WITH event, pairs
  CALL (event) {
    // begin block: walk
    MATCH (event)-[:ROOT|INFLUENCES*1..]->(x)
    WITH DISTINCT event, x
    // end block: walk
    FOREACH (draft IN CASE WHEN x:Staged THEN [x] ELSE [] END |
      REMOVE draft:Staged SET draft:Retired REMOVE draft.content, draft.search_text, draft.blob, draft.embedding)
    FOREACH (live IN CASE WHEN x:Retired THEN [] ELSE [x] END | REMOVE live:Visible SET live:Withdrawn)
    SET x.held_by = event.seq
    RETURN count(x) AS affected, collect(CASE WHEN x:Retired THEN x END) AS drafts
  }
  CALL (drafts) {
    UNWIND drafts AS gone
    // begin block: turn_edges
    MATCH (source)-[edge:INFLUENCES]->(gone)
    CREATE (source)-[past:INFLUENCED]->(gone)
    SET past = properties(edge)
    DELETE edge
    // end block: turn_edges
    RETURN count(*) AS dropped
  }
  CALL (event) {
    MATCH (event)-[:ROOT]->(root)
    REMOVE root:Withdrawn
    SET root:Retired, root.retired_at = datetime()
    WITH root AS gone
    // begin block: turn_edges
    MATCH (source)-[edge:INFLUENCES]->(gone)
    CREATE (source)-[past:INFLUENCED]->(gone)
    SET past = properties(edge)
    DELETE edge
    // end block: turn_edges
    RETURN count(*) AS turned
  }
  CALL (event, pairs) {
    UNWIND pairs AS pair
    WITH event, pair.root AS root, pair.new AS new
    WITH event, root, new, root AS last, new AS draft, root AS template
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
    // No operator made a replacement, and its embedding comes later (artifact/set_embedding).
    SET a:Visible, a.published_at = datetime(), a.metadata = CASE
      WHEN new.metadata IS NOT NULL THEN new.metadata
      WHEN event.type = 'migrate' THEN root.metadata
      WHEN root.id = new.kept.of AND root.metadata = new.kept.was THEN new.kept.metadata END
    REMOVE a.operator, a.recipe, a.blob, a.embedding
    CREATE (a)-[:SUPERSEDES]->(root)
    WITH event, root
    MATCH (event)-[named:ROOT]->(root)
    SET named.replaced = true
    RETURN count(*) AS replaced
  }
  CALL (event) {
    MATCH (event)-[:ROOT]->(root)<-[:SUPERSEDES]-(next:Visible)
    MATCH (source)-[past:INFLUENCED]->(root)
    OPTIONAL MATCH (event)-[:ROOT]->(source)<-[:SUPERSEDES]-(newer:Visible)
    WITH next, past, CASE WHEN source:Visible THEN source ELSE newer END AS kept
    FILTER kept IS NOT NULL
    CREATE (kept)-[edge:INFLUENCES]->(next)
    SET edge = properties(past)
    RETURN count(*) AS kept
  }
  CALL (event) {
    MATCH (event)-[named:ROOT]->(gone) WHERE named.replaced
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
  SET event.affected = affected - size(drafts)
  RETURN event AS made
UNION
  WITH counter, verdict
  FILTER verdict[0] <> ''
  RETURN NULL AS made
}
WITH verdict, coalesce(made, known) AS event
RETURN CASE WHEN verdict[0] IN ['', 'same'] THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail,
  $event_id AS event_id, event.seq AS seq, event.affected AS affected
