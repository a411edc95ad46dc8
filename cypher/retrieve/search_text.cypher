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
CALL db.index.fulltext.queryNodes('memorepair_visible_text', '+space:' + $space + '^0 +content:(' + words + ')', {limit: $k})
YIELD node AS artifact, score
FILTER artifact.space = $space AND artifact:Visible AND score > 0
RETURN artifact, score
ORDER BY score DESC, artifact.key
