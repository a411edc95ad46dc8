// Arm of a CASE: refuse a derivation that lacks a property, or whose kind and arch are not of the model.

WHEN $draft.key IS NULL OR $draft.content IS NULL OR $draft.content_hash IS NULL
  OR NOT coalesce($draft.kind, '') IN ['record', 'cache', 'summary', 'skill']
  OR ($draft.kind = 'skill') <> (coalesce($draft.arch, '') IN ['neural', 'prompt', 'chain'])
  THEN ['bad_input', 'a derived artifact needs key, kind (record, cache, summary, skill), content and content_hash; a skill its arch']
