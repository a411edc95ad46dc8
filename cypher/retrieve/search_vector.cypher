// The artifacts in service whose embeddings are nearest; the space is filtered inside the index, so k is never short.
//
// access:  read
// params:  space STRING, embedding LIST<FLOAT>, k INTEGER
// returns: artifact NODE, score FLOAT
CYPHER 25
MATCH (artifact:Visible)
SEARCH artifact IN (
  VECTOR INDEX memorepair_visible_embedding
  // begin block: vector_filter
  FOR $embedding
  WHERE artifact.space = $space
  LIMIT $k
  // end block: vector_filter
) SCORE AS score
RETURN artifact, score
ORDER BY score DESC, artifact.key
