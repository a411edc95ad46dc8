// Lay down artifacts in service, bare: no gate, no check. For measurements, in a space of their own.
//
// access:  write
// params:  space STRING, rows LIST<MAP>
// returns: created INTEGER
UNWIND $rows AS row
WITH row, row AS draft
CREATE (a:Artifact:Visible {id: row.id, key: row.key, space: $space, version: 1, kind: row.kind, content: row.content,
  content_hash: row.content_hash, operator: row.operator, embedding: row.embedding, cost: row.cost, created_at: datetime(),
  published_at: datetime(), held_by: 0,
  search_text:
    // begin block: search_form
    normalize(reduce(form = toLower(replace(normalize(draft.content, NFKD), 'Σ', 'σ')), fold IN [['ß', 'ss'], ['ς', 'σ'], ['\u0345', 'ι'],
      ['ı', 'i'], ['i\u0307', 'i'], ['\u00ad', ''], ['\u200c', ''], ['\u200d', ''], ['\u2060', ''], ['\ufeff', '']] |
      replace(form, fold[0], fold[1])), NFKC)
    // end block: search_form
  })
RETURN count(a) AS created
