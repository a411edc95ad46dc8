// How many artifacts in service hold a stretch of characters, counted no further than a limit: for scripts that put no space
// between words, of which the full-text index takes a whole run for one word. It reads every text of the space until then.
//
// access:  read
// params:  space STRING, stretch STRING, most INTEGER
// returns: frequency INTEGER
CYPHER 25
CALL () {
  MATCH (a:Visible)
  WHERE a.space = $space AND a.key IS NOT NULL AND a.content CONTAINS $stretch
  RETURN a LIMIT $most
}
RETURN count(a) AS frequency
