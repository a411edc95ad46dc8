// What was erased holds no content, no blob, no embedding, no recipe.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
MATCH (a:Artifact {space: $space})
// `key IS NOT NULL` lets an index give this space alone; what has no key is found by check/properties.
WHERE a.key IS NOT NULL AND a.erased_at IS NOT NULL AND (a.content IS NOT NULL OR a.search_text IS NOT NULL OR a.blob IS NOT NULL OR a.embedding IS NOT NULL OR a.recipe IS NOT NULL
  OR a.metadata IS NOT NULL OR a.content_hash IS NOT NULL)
RETURN a.id AS id, a.key AS key, 'was erased and still holds something' AS detail
