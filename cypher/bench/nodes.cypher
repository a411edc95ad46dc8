// Lay down artifacts in service, bare: no gate, no check. For measurements, in a space of their own.
//
// access:  write
// params:  space STRING, rows LIST<MAP>
// returns: created INTEGER
UNWIND $rows AS row
CREATE (a:Artifact:Visible {id: row.id, key: row.key, space: $space, version: 1, kind: row.kind, content: row.content,
  content_hash: row.content_hash, operator: row.operator, embedding: row.embedding, cost: row.cost, created_at: datetime(),
  published_at: datetime(), held_by: 0})
RETURN count(a) AS created
