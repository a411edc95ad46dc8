// Look up what can stand in the way of a draft: the live version of its key and that version's event, a contract of its tool,
// an erased artifact whose tombstone refuses its content.

OPTIONAL MATCH (live:Artifact {space: $space, key: draft.key}) WHERE live:Visible OR live:Withdrawn
OPTIONAL MATCH (holder:RepairEvent {space: $space, seq: live.held_by}) WHERE live:Withdrawn
OPTIONAL MATCH (contract:Visible {space: $space, tool: draft.tool})
// block: erased
WITH draft, live, holder, contract, collect(erased)[0] AS erased
