// Find the last version of a draft's key, in any state: the new one counts on from it and supersedes it.

CALL (draft) {
  OPTIONAL MATCH (older:Artifact {space: $space, key: draft.key}) WHERE older.version IS NOT NULL
  RETURN older AS last
  ORDER BY older.version DESC
  LIMIT 1
}
