// A vector index over all artifacts, whatever their state: the bare side of a measurement.
//
// access:  write
// params:  dimensions INTEGER
// returns: nothing
CYPHER 25
CREATE VECTOR INDEX memorepair_bench_embedding IF NOT EXISTS
FOR (a:Artifact) ON a.embedding
WITH [a.space]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
