// The artifacts in service that match a text best. The text is the user's: every sign of the query language in it is taken literally.
//
// Text and contents are compared in one form (block search_form), so normal form, width and case make no difference. Of the text the
// first 1,000 characters count: in Chinese each may be a word, and the index takes 1,024 words at most.
//
// access:  read
// params:  space STRING, text STRING, k INTEGER
// returns: artifact NODE, score FLOAT
CYPHER 25
WITH {content: left($text, 1000)} AS draft
WITH
  // begin block: search_form
  normalize(reduce(form = toLower(replace(normalize(draft.content, NFKD), 'Σ', 'σ')), fold IN [['ß', 'ss'], ['ς', 'σ'], ['\u0345', 'ι'],
    ['ı', 'i'], ['i\u0307', 'i'], ['\u00ad', ''], ['\u200c', ''], ['\u200d', ''], ['\u2060', ''], ['\ufeff', '']] |
    replace(form, fold[0], fold[1])), NFKC)
  // end block: search_form
  AS form
WITH trim(reduce(plain = left(form, 1000), sign IN ['\\', '+', '-', '&', '|', '!', '(', ')', '{', '}', '[', ']', '^', '"', '~', '*', '?', ':', '/', '<', '>', '=',
  '\t', '\n', '\r'] | replace(plain, sign, ' '))) AS words
FILTER words <> ''
// The index knows a space by the words of its name, in their order and whatever their case, so that it may take 'team/a' and
// 'Team a b' for one. Where a neighbour takes places of the first k, all hits are gone through until k of this space are there.
WITH '+space:"' + replace(replace($space, '\\', '\\\\'), '"', '\\"') + '"^0 +search_text:(' + words + ')' AS asked
CALL (asked) {
  CALL db.index.fulltext.queryNodes('memorepair_search_text', asked, {limit: $k})
  YIELD node, score
  RETURN collect(node) AS nodes, collect(score) AS scores
}
WITH asked, nodes, scores, any(node IN nodes WHERE node.space <> $space) AS crowded
CALL (asked, nodes, scores, crowded) {
  FILTER NOT crowded
  UNWIND range(0, size(nodes) - 1) AS n
  RETURN nodes[n] AS artifact, scores[n] AS score
UNION ALL
  WITH asked, crowded
  FILTER crowded
  CALL db.index.fulltext.queryNodes('memorepair_search_text', asked)
  YIELD node, score
  FILTER node.space = $space AND node:Visible
  LIMIT $k
  RETURN node AS artifact, score
}
FILTER artifact.space = $space AND artifact:Visible AND score > 0
RETURN artifact, score
ORDER BY score DESC, artifact.key
