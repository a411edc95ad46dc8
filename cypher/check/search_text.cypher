// What is in service is searched by the form of its content, and what is not by nothing that it does not say.
//
// access:  read
// params:  space STRING
// returns: id STRING, key STRING, detail STRING
CYPHER 25
MATCH (a:Artifact {space: $space})
// `key IS NOT NULL` lets an index give this space alone; what has no key is found by check/properties.
WHERE a.key IS NOT NULL AND a.content IS :: STRING AND ((a:Visible AND a.content IS NOT NULL) OR a.search_text IS NOT NULL)
WITH a, a AS draft
WITH a,
  // begin block: search_form
  normalize(reduce(form = toLower(replace(normalize(draft.content, NFKD), 'Σ', 'σ')), fold IN [['ß', 'ss'], ['ς', 'σ'], ['\u0345', 'ι'],
    ['ı', 'i'], ['i\u0307', 'i'], ['\u00ad', ''], ['\u200c', ''], ['\u200d', ''], ['\u2060', ''], ['\ufeff', '']] |
    replace(form, fold[0], fold[1])), NFKC)
  // end block: search_form
  AS form
FILTER NOT coalesce(a.search_text = form, false)
RETURN a.id AS id, a.key AS key, CASE WHEN a.search_text IS NULL THEN 'is not found by a search for text: run `memorepair setup`'
  ELSE 'is searched by another text than its content: remove its search_text, and run `memorepair setup`' END AS detail
