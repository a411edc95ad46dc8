// A derivation without gate or check: a node and its edges.
//
// access:  write
// params:  space STRING, draft MAP, sources LIST<STRING>
// returns: id STRING
CREATE (a:Artifact:Visible {id: $draft.id, key: $draft.key, space: $space, version: 1, kind: $draft.kind, content: $draft.content,
  search_text: $draft.content,  content_hash: $draft.content_hash, operator: $draft.operator, created_at: datetime(), published_at: datetime(), held_by: 0})
WITH a
UNWIND $sources AS id
MATCH (source:Artifact {id: id})
CREATE (source)-[:INFLUENCES]->(a)
RETURN a.id AS id
