// Empty what a closed event retired or left withdrawn, and every copy of it that history keeps: content, blob, embedding,
// recipe, metadata and plain hash go, and what checks quoted of it; id, key, times and a keyed hash stay as a tombstone.
//
// `hashes` holds maps {id, tombstone} for what is to be emptied, as artifact/to_erase lists it.
// Logs, backups and page files of the server are out of reach.
//
// access:  write
// params:  space STRING, event_id STRING, hashes LIST<MAP>
// returns: status STRING, rule STRING, detail STRING, ids LIST<STRING>, keys LIST<STRING>, versions LIST<INTEGER>, tombstones LIST<STRING>, already INTEGER, erased_at STRING
CYPHER 25
// begin block: all_stripes
UNWIND range(0, 15) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: all_stripes
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
  WHEN event IS NULL THEN ['not_found', 'no event ' + $event_id + ' in this space']
  WHEN event.status <> 'closed' THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status + ': close it first (resume), then erase']
  ELSE ['', ''] END AS first
CALL (event, first) {
  FILTER first[0] = ''
  MATCH (event)-[:ROOT]->(root)
  MATCH (root)-[:INFLUENCES|INFLUENCED*0..]->(x)
  WITH DISTINCT x
  WHERE x:Retired OR x:Withdrawn
  RETURN collect(x) AS reach
}
CALL (reach) {
  UNWIND reach AS x
  OPTIONAL MATCH (open:RepairEvent {space: $space, seq: x.held_by}) WHERE x:Withdrawn AND open.status <> 'closed'
  RETURN collect(DISTINCT open.id) AS holders
}
WITH event, reach, CASE
  WHEN first[0] <> '' THEN first
  WHEN size(holders) > 0 THEN ['event_conflict', 'event ' + holders[0] + ' still works on a part of it: close that one first']
  WHEN size([x IN reach WHERE x.erased_at IS NULL]) <> COUNT {
      UNWIND $hashes AS hash
      MATCH (x:Artifact {id: hash.id}) WHERE x.erased_at IS NULL AND x.space = $space AND (x:Retired OR x:Withdrawn)
      RETURN x }
    THEN ['plan_changed', 'more has come to be erased since it was listed: list it again']
  ELSE ['', ''] END AS verdict
CALL (event, reach, verdict) {
  FILTER verdict[0] = ''
  SET event.delta = NULL, event.request = [], event.erased_at = datetime()
  FOREACH (x IN reach | SET x.erasing = true)
  WITH reach
  UNWIND $hashes AS hash
  MATCH (x:Artifact {id: hash.id})
  WHERE x.erasing AND x.erased_at IS NULL
  SET x.tombstone = CASE WHEN x.content_hash IS NULL THEN NULL
      WHEN EXISTS { (n:Visible {space: $space, key: x.key}) WHERE n.content_hash = x.content_hash } THEN NULL ELSE hash.tombstone END,
    x.erased_at = datetime()
  REMOVE x.content, x.search_text, x.blob, x.embedding, x.recipe, x.metadata, x.content_hash
  WITH x, x:Withdrawn AS was_withdrawn
  FOREACH (w IN CASE WHEN was_withdrawn THEN [x] ELSE [] END | REMOVE w:Withdrawn SET w:Retired, w.retired_at = datetime())
  WITH x
  CALL (x) {
    MATCH (x)<-[said:AFFECTS]-()
    SET said.reason = 'erased', said.checks = NULL
    RETURN count(*) AS silenced
  }
  CALL (x) {
    WITH x AS gone
    // begin block: turn_edges
    MATCH (source)-[edge:INFLUENCES]->(gone)
    CREATE (source)-[past:INFLUENCED]->(gone)
    SET past = properties(edge)
    DELETE edge
    // end block: turn_edges
    RETURN count(*) AS turned
  }
  RETURN collect(x.id) AS ids, collect(x.key) AS keys, collect(coalesce(x.version, 0)) AS versions, collect(coalesce(x.tombstone, '')) AS tombstones
}
CALL (reach, verdict) {
  FILTER verdict[0] = ''
  UNWIND reach AS x
  MATCH (x)-[:SUPERSEDES]->(root)<-[named:ROOT]-(brought:RepairEvent)
  WHERE named.replaced
  SET brought.delta = NULL, brought.request = []
  RETURN count(*) AS requests
}
FOREACH (x IN reach | REMOVE x.erasing)
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail,
  ids, keys, versions, tombstones, coalesce(size(reach), 0) - coalesce(size(ids), 0) AS already, toString(datetime()) AS erased_at
