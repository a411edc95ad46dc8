// How many artifacts in service hold a word, counted no further than a limit.
//
// access:  read
// params:  space STRING, word STRING, most INTEGER
// returns: frequency INTEGER
CYPHER 25
WITH reduce(plain = left($word, 200), sign IN ['\\', '+', '-', '&', '|', '!', '(', ')', '{', '}', '[', ']', '^', '"', '~', '*', '?', ':', '/', '<', '>', '=']
  | replace(plain, sign, ' ')) AS plain
WITH trim(plain) AS phrase
CALL (phrase) {
  FILTER phrase <> ''
  CALL db.index.fulltext.queryNodes('memorepair_visible_text', '+space:' + $space + '^0 +content:"' + phrase + '"', {limit: $most})
  YIELD node, score
  FILTER node.space = $space AND score > 0
  RETURN count(node) AS frequency
}
RETURN frequency
