// Create the next version `a` of a key; `last` is the one before it, or null. It has no state yet: the statement gives it one.
//
// `held_by` is there from creation, so that a barrier overwrites it in place.

CREATE (a:Artifact {
  id: coalesce(draft.id, randomUUID()), key: template.key, space: $space, version: coalesce(last.version, 0) + 1,
  created_at: datetime(), held_by: 0,
  // block: properties
})
