// Search a vector index in one space: the filter runs inside the index, so a search never gives fewer than k for its sake.
//
// Measured on Community 2026.09: 30 artifacts beside a neighbour space of 3,000 still give 10 of 10. The bare form that
// measurements compare with (bench/bare_search_vector) differs in the label and the index alone.

FOR $embedding
WHERE artifact.space = $space
LIMIT $k
