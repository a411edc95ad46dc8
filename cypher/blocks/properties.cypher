// The properties of an artifact that its draft brings: the one list of them, for every way into the graph.
//
// A new property is one more entry here and one more field of `Draft` (memorepair_graphdb/model/artifact.py). `draft` is what is
// new in each version, `template` what a successor or a replacement takes over from the version before it; of a new artifact
// both are what its caller gave; `search_text` is made of the content here, so no caller can forget it. What a statement sets otherwise it sets or removes right behind CREATE.
// Not by a map projection: in Neo4j 2026.09 `map {.*, tool: NULL}.tool` is still the tool of `map`.

content: draft.content, blob: draft.blob, content_hash: draft.content_hash, embedding: draft.embedding, metadata: draft.metadata,
kind: template.kind, arch: template.arch, operator: template.operator, recipe: template.recipe, value: template.value,
cost: template.cost, tool: template.tool,
search_text:
  // block: search_form
