// What an event holds, and every influence edge into it, as columns: the input of planning.
//
// Sources are named by the database's own ids, good for this transaction alone; cascade/sources names those that the event does not hold.
//
// access:  read
// params:  space STRING, event_id STRING
// returns: seq INTEGER, type STRING, delta STRING, reason STRING, actor STRING, arrivals INTEGER, value_mean FLOAT, cost_mean FLOAT, roots LIST<STRING>, root_keys LIST<STRING>, replaced LIST<BOOLEAN>, nodes LIST<STRING>, ids LIST<STRING>, keys LIST<STRING>, kinds LIST<STRING>, archs LIST<STRING>, operators LIST<STRING>, faults LIST<STRING>, values LIST<FLOAT>, costs LIST<FLOAT>, embedded LIST<BOOLEAN>, targets LIST<INTEGER>, sources LIST<STRING>, roles LIST<STRING>, required LIST<ANY>
CYPHER 25
MATCH (event:RepairEvent {space: $space, id: $event_id})
CALL (event) {
  MATCH (event)-[named:ROOT]->(root)
  RETURN collect(root.id) AS roots, collect(root.key) AS root_keys, collect(coalesce(named.replaced, false)) AS replaced
}
CALL (event) {
  CALL (event) {
    // begin block: walk
    MATCH (event)-[:ROOT|INFLUENCES*1..]->(x)
    WITH DISTINCT event, x
    // end block: walk
    WHERE x:Withdrawn AND x.held_by = event.seq
    RETURN x
    UNION
    MATCH (event)-[:AFFECTS]->(x:Withdrawn)
    WHERE x.held_by = event.seq
    RETURN x
  }
  WITH x
  // What has no name cannot be planned: check/properties finds it.
  WHERE x.id IS :: STRING NOT NULL AND x.key IS :: STRING NOT NULL
  RETURN collect(x) AS held
}
// begin block: cascade_columns
CALL (held) {
  UNWIND held AS a
  WITH a,
    CASE
      WHEN a.id IS NULL OR a.key IS NULL OR NOT a.id IS :: STRING OR NOT a.key IS :: STRING THEN 'has no id or no key'
      WHEN NOT coalesce(a.kind, '') IN ['record', 'cache', 'summary', 'skill'] THEN 'has kind ' + coalesce(toStringOrNull(a.kind), 'none')
      WHEN (a.kind = 'skill') <> (coalesce(a.arch, '') IN ['neural', 'prompt', 'chain'])
        OR (a.kind <> 'skill' AND a.arch IS NOT NULL) THEN 'has arch ' + coalesce(toStringOrNull(a.arch), 'none')
      WHEN a.held_by IS NULL OR NOT a.held_by IS :: INTEGER THEN 'has no held_by'
      WHEN a.created_at IS NULL OR NOT a.created_at IS :: ZONED DATETIME THEN 'has no created_at'
      WHEN (a:Visible OR a:Withdrawn) AND (a.content IS NULL OR a.content_hash IS NULL OR a.version IS NULL) THEN 'is live and lacks content, hash or version'
      WHEN NOT a.content IS :: STRING THEN 'has a content that is no text'
      WHEN NOT a.version IS :: INTEGER THEN 'has a version that is no whole number'
      // Cypher orders -0.0 before 0, and NaN before nothing: both are held against bounds that say so.
      WHEN NOT a.value IS :: INTEGER | FLOAT OR NOT a.cost IS :: INTEGER | FLOAT
        OR NOT (a.value >= -0.0 AND a.value < INF) OR NOT (a.cost >= -0.0 AND a.cost < INF)
        THEN 'has a value or a cost that is no number, or less than 0'
      WHEN NOT a.embedding IS :: LIST<INTEGER | FLOAT> THEN 'has an embedding that is no list of numbers'
      WHEN NOT a.content_hash IS :: STRING OR NOT a.operator IS :: STRING OR NOT a.recipe IS :: STRING OR NOT a.metadata IS :: STRING
        OR NOT a.tool IS :: STRING THEN 'has a hash, operator, recipe, metadata or tool that is no text'
      WHEN a.blob IS NOT NULL AND a.blob IS :: BOOLEAN | INTEGER | FLOAT | STRING THEN 'has a blob that is no bytes'
    END
    AS fault
  RETURN collect(elementId(a)) AS nodes, collect(a.id) AS ids, collect(a.key) AS keys, collect(coalesce(fault, '')) AS faults,
    collect(CASE WHEN a.kind IN ['record', 'cache', 'summary', 'skill'] THEN a.kind ELSE 'summary' END) AS kinds,
    collect(CASE WHEN a.arch IN ['neural', 'prompt', 'chain'] THEN a.arch ELSE '' END) AS archs,
    collect(coalesce(toStringOrNull(a.operator), '')) AS operators,
    collect(CASE WHEN a.value >= -0.0 AND a.value < INF THEN a.value ELSE -1.0 END) AS values,
    collect(CASE WHEN a.cost >= -0.0 AND a.cost < INF THEN a.cost ELSE -1.0 END) AS costs,
    collect(a.embedding IS NOT NULL) AS embedded
}
CALL (held) {
  UNWIND range(0, size(held) - 1) AS n
  WITH n, held[n] AS x
  MATCH (source)-[edge:INFLUENCES]->(x)
  RETURN collect(n) AS targets, collect(elementId(source)) AS sources,
    collect(coalesce(toStringOrNull(edge.role), '')) AS roles,
    collect(CASE WHEN edge.required IS :: BOOLEAN NOT NULL OR edge.required = 'any' THEN edge.required ELSE 'declared' END) AS required
}
// end block: cascade_columns
RETURN event.seq AS seq, event.type AS type, coalesce(event.delta, '') AS delta, coalesce(event.reason, '') AS reason,
  coalesce(event.actor, '') AS actor, event.arrivals AS arrivals, event.value_mean AS value_mean, event.cost_mean AS cost_mean,
  roots, root_keys, replaced, nodes, ids, keys, kinds, archs, operators, faults, values, costs, embedded, targets, sources, roles, required
