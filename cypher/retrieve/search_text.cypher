// The artifacts in service that match a text best. The text is the user's: every sign of the query language in it is taken literally.
//
// Of the text the first 1,000 characters count: in Chinese each may be a word, and the index takes 1,024 words at most.
//
// access:  read
// params:  space STRING, text STRING, k INTEGER
// returns: artifact NODE, score FLOAT
CYPHER 25
WITH reduce(plain = left($text, 1000), sign IN ['\\', '+', '-', '&', '|', '!', '(', ')', '{', '}', '[', ']', '^', '"', '~', '*', '?', ':', '/', '<', '>', '=',
  '\t', '\n', '\r', '\u3000'] | replace(plain, sign, ' ')) AS plain
WITH trim(reduce(words = '', word IN split(plain, ' ') |
  words + ' ' + CASE WHEN word IN ['AND', 'OR', 'NOT'] THEN toLower(word) ELSE word END)) AS words
FILTER words <> ''
// The index knows a space by the words of its name, in their order and whatever their case, so that it may take 'team/a' and
// 'Team a b' for one. Where a neighbour takes places of the first k, all hits are gone through until k of this space are there.
WITH '+space:"' + replace(replace($space, '\\', '\\\\'), '"', '\\"') + '"^0 +content:(' + words + ')' AS asked
CALL (asked) {
  CALL db.index.fulltext.queryNodes('memorepair_visible_text', asked, {limit: $k})
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
  CALL db.index.fulltext.queryNodes('memorepair_visible_text', asked)
  YIELD node, score
  FILTER node.space = $space AND node:Visible
  LIMIT $k
  RETURN node AS artifact, score
}
FILTER artifact.space = $space AND artifact:Visible AND score > 0
RETURN artifact, score
ORDER BY score DESC, artifact.key
