// Give artifacts in service the property that they are searched by; what left service, or has it, meanwhile is left alone.
//
// The lock comes before the content is read: a barrier or an erasure that commits in between would have its text written back.
//
// access:  write
// params:  nodes LIST<STRING>
// returns: written INTEGER
CYPHER 25
CALL () {
  UNWIND $nodes AS node
  MATCH (a) WHERE elementId(a) = node
  SET a.lock = true
  REMOVE a.lock
  RETURN count(a) AS locked
}
WITH locked
UNWIND $nodes AS node
MATCH (a:Artifact&Visible) WHERE elementId(a) = node AND a.search_text IS NULL AND a.content IS :: STRING NOT NULL
WITH a, a AS draft
SET a.search_text =
  // begin block: search_form
  normalize(reduce(form = toLower(replace(normalize(draft.content, NFKD), 'Σ', 'σ')), fold IN [['ß', 'ss'], ['ς', 'σ'], ['\u0345', 'ι'],
    ['ı', 'i'], ['i\u0307', 'i'], ['\u00ad', ''], ['\u200c', ''], ['\u200d', ''], ['\u2060', ''], ['\ufeff', '']] |
    replace(form, fold[0], fold[1])), NFKC)
  // end block: search_form
RETURN count(a) AS written
