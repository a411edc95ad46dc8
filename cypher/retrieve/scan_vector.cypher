// The artifacts in service whose embeddings are nearest, without the index: each of the space is compared.
//
// For a server whose index fails. Neo4j 2026.09 does (50N00, "out of bounds") where a filtered search asks for more than
// there is after an embedded artifact left service.
//
// access:  read
// params:  space STRING, embedding LIST<FLOAT>, k INTEGER
// returns: artifact NODE, score FLOAT
CYPHER 25
MATCH (artifact:Visible {space: $space})
// Plain Cypher may have written words there, or a number: check/properties finds it.
WHERE CASE WHEN artifact.embedding IS :: LIST<INTEGER | FLOAT> NOT NULL THEN size(artifact.embedding) = size($embedding) ELSE false END
WITH artifact, vector.similarity.cosine(artifact.embedding, $embedding) AS score
RETURN artifact, score
ORDER BY score DESC, artifact.key
LIMIT $k
