// What forbids to put some artifacts into service, whatever their sources: a key or a tool that is taken, an erased content.
//
// `lines` holds maps {key, kind, tool, tombstone, identifies}; what nothing forbids is left out. Nothing is written and nothing is locked:
// artifact/load looks again under its gate.
//
// access:  read
// params:  space STRING, lines LIST<MAP>
// returns: key STRING, rule STRING, detail STRING
CYPHER 25
UNWIND $lines AS draft
// begin block: key_lookup
OPTIONAL MATCH (live:Artifact {space: $space, key: draft.key}) WHERE live:Visible OR live:Withdrawn
OPTIONAL MATCH (holder:RepairEvent {space: $space, seq: live.held_by}) WHERE live:Withdrawn
OPTIONAL MATCH (contract:Visible {space: $space, tool: draft.tool})
OPTIONAL MATCH (erased:Artifact {space: $space, tombstone: draft.tombstone})
  WHERE (erased.key = draft.key AND erased.kind = coalesce(draft.kind, 'record'))
    OR (coalesce(draft.identifies, true) AND EXISTS { (erased)<-[:ROOT]-() })
WITH draft, live, holder, contract, collect(erased)[0] AS erased
// end block: key_lookup
WITH draft, CASE
  WHEN live:Visible THEN ['key_taken', 'has a version in service (' + live.id + ') with another content or other sources: use '
    + CASE WHEN live.tool IS NULL THEN 'correct' ELSE 'migrate' END + ' to change it']
  WHEN live:Withdrawn AND holder.status <> 'closed' THEN ['key_taken', 'is withdrawn by event ' + holder.id
    + ', which is still open: finish it first (resume)']
  WHEN contract IS NOT NULL AND contract.key <> draft.key THEN ['key_taken', 'is a contract of tool ' + draft.tool
    + ', which has one in force under key ' + contract.key + ': use migrate to change it']
  WHEN erased IS NOT NULL THEN ['tombstoned', 'holds content that was erased from this space (artifact ' + erased.id
    + ', key ' + erased.key + '), which does not come back, unless that is forgiven (forgive)']
  END AS verdict
FILTER verdict IS NOT NULL
RETURN draft.key AS key, verdict[0] AS rule, verdict[1] AS detail
