// Look for an erased artifact whose tombstone refuses the text of a draft: one of the draft's kind and key, whatever the text;
// for a text that tells by itself whom it is about (`identifies`; unsaid: it does), any root of an event in the space.
//
// A tombstone is a keyed hash. Of an erased root and a derived artifact alike it is of the content of a key; so one person's
// "OK" keeps nobody else's away. What was forgiven (artifact/forgive) has none any more.

OPTIONAL MATCH (erased:Artifact {space: $space, tombstone: draft.tombstone})
  WHERE (erased.key = draft.key AND erased.kind = coalesce(draft.kind, 'record'))
    OR (coalesce(draft.identifies, true) AND EXISTS { (erased)<-[:ROOT]-() })
