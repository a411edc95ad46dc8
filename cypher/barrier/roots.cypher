// Read the live artifacts that a correction or a migration names, to compare them with what takes their place.
//
// Nothing is locked: barrier/withdraw compares again, under its locks, what was concluded from this.
//
// access:  read
// params:  space STRING, roots LIST<STRING>
// returns: refs LIST<STRING>, ids LIST<STRING>, keys LIST<STRING>, contents LIST<STRING>, hashes LIST<STRING>, metadata LIST<STRING>, comparable LIST<BOOLEAN>, contracts LIST<BOOLEAN>
CYPHER 25
// begin block: named_roots
UNWIND $roots AS ref
OPTIONAL MATCH (named:Artifact {id: ref}) WHERE named.space = $space AND (named:Visible OR named:Withdrawn)
OPTIONAL MATCH (keyed:Artifact {space: $space, key: ref}) WHERE keyed:Visible OR keyed:Withdrawn
WITH ref, coalesce(named, keyed) AS root
// end block: named_roots
// What plain Cypher wrote wrongly is compared with nothing: its correction takes nothing over.
WITH ref, root WHERE root.content IS :: STRING NOT NULL AND root.metadata IS :: STRING
  AND root.id IS :: STRING NOT NULL AND root.key IS :: STRING NOT NULL
RETURN collect(ref) AS refs, collect(root.id) AS ids, collect(root.key) AS keys, collect(root.content) AS contents,
  collect(coalesce(toStringOrNull(root.content_hash), '')) AS hashes, collect(coalesce(root.metadata, '')) AS metadata,
  collect(root:Visible AND root.blob IS NULL) AS comparable, collect(root.tool IS NOT NULL) AS contracts
