// What an artifact `a` has that is no value of its property: what constraints on existence and type would hold on another edition.
//
// Plain Cypher can write anything. What has a fault is read as far as it goes, and is not rebuilt until it is mended. The same in
// Python: `store/mapping.py`.

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
