// Full-text search over what is in service, and nothing else; the space is a term of the index, so the filter runs inside it.
//
// access:  schema
// params:  none
// returns: nothing
CREATE FULLTEXT INDEX memorepair_search_text IF NOT EXISTS
FOR (a:Visible) ON EACH [a.search_text, a.space]
