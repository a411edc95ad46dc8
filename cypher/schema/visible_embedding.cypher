// Vector search over what is in service, and nothing else; the space is kept in the index, so the filter runs inside it.
//
// access:  schema
// params:  dimensions INTEGER
// returns: nothing
CYPHER 25
CREATE VECTOR INDEX memorepair_visible_embedding IF NOT EXISTS
FOR (a:Visible) ON a.embedding
WITH [a.space]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
