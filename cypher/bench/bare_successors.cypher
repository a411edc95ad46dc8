// Successors and their edges, bare: no event, no check.
//
// access:  write
// params:  space STRING, rows LIST<MAP>
// returns: created INTEGER
UNWIND $rows AS row
CREATE (a:Artifact:Staged {id: row.id, key: row.key, space: $space, version: 2, kind: row.kind, content: row.content,
  search_text: row.content,  content_hash: row.content_hash, operator: row.operator, created_at: datetime(), held_by: 1})
WITH a, row
UNWIND row.sources AS source
MATCH (s:Artifact {id: source})
CREATE (s)-[:INFLUENCES]->(a)
RETURN count(*) AS created
