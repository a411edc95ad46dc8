// Arms of a CASE, the last ones: refuse a draft whose key or tool is taken, or whose content was erased (block key_lookup).
//
// What a closed event left withdrawn is no obstacle: the draft takes its place.

WHEN live:Visible THEN ['key_taken', 'key ' + draft.key + ' has a version in service (' + live.id + '): use '
  + CASE WHEN live.tool IS NULL THEN 'correct' ELSE 'migrate' END + ' to change it']
WHEN live:Withdrawn AND holder.status <> 'closed' THEN ['key_taken', 'key ' + draft.key
  + ' is withdrawn by event ' + holder.id + ', which is still open: finish it first (resume)']
WHEN contract IS NOT NULL AND contract.key <> draft.key THEN ['key_taken', 'tool ' + draft.tool
  + ' has a contract in force under key ' + contract.key + ': use migrate to change it']
WHEN erased IS NOT NULL THEN ['tombstoned', 'this content was erased from the space (artifact ' + erased.id
  + ', key ' + erased.key + ') and does not come back, unless that is forgiven (forgive)']
ELSE ['', ''] END AS verdict
