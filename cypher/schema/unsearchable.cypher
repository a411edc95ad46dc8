// Some artifacts in service that have no `search_text` yet, as schema version 1 left them, and the length of their contents.
//
// access:  read
// params:  most INTEGER
// returns: nodes LIST<STRING>, sizes LIST<INTEGER>
CYPHER 25
CALL () {
  MATCH (a:Visible)
  // Of ours alone: another program may have nodes with this label.
  WHERE a:Artifact AND a.space IS NOT NULL AND a.key IS NOT NULL AND a.id IS NOT NULL AND a.search_text IS NULL AND a.content IS :: STRING NOT NULL
  RETURN a
  LIMIT $most
}
RETURN collect(elementId(a)) AS nodes, collect(size(a.content)) AS sizes
