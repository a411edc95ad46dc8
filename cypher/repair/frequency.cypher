// How many artifacts in service hold a word, counted no further than a limit.
//
// access:  read
// params:  space STRING, word STRING, most INTEGER
// returns: frequency INTEGER
CYPHER 25
WITH {content: left($word, 200)} AS draft
WITH
  // begin block: search_form
  normalize(reduce(form = toLower(replace(normalize(draft.content, NFKD), 'Σ', 'σ')), fold IN [['ß', 'ss'], ['ς', 'σ'], ['\u0345', 'ι'],
    ['ı', 'i'], ['i\u0307', 'i'], ['\u00ad', ''], ['\u200c', ''], ['\u200d', ''], ['\u2060', ''], ['\ufeff', '']] |
    replace(form, fold[0], fold[1])), NFKC)
  // end block: search_form
  AS form
WITH reduce(plain = left(form, 200), sign IN ['\\', '+', '-', '&', '|', '!', '(', ')', '{', '}', '[', ']', '^', '"', '~', '*', '?', ':', '/', '<', '>', '=']
  | replace(plain, sign, ' ')) AS plain
WITH trim(plain) AS phrase
CALL (phrase) {
  FILTER phrase <> ''
  // The index knows a space by the words of its name: hits of a neighbour with like words are left out, of 20 times as many.
  CALL db.index.fulltext.queryNodes('memorepair_search_text', '+space:"' + replace(replace($space, '\\', '\\\\'), '"', '\\"')
    + '"^0 +search_text:"' + phrase + '"', {limit: 20 * $most})
  YIELD node, score
  FILTER node.space = $space AND score > 0
  WITH node LIMIT $most
  RETURN count(node) AS frequency
}
RETURN frequency
