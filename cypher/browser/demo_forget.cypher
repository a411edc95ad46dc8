// Delete everything that the demo wrote: its two spaces, and no others. For `memorepair demo` alone, which begins with it.
//
// access:  write
// params:
// returns: deleted INTEGER
MATCH (n)
WHERE n.space IN ['memorepair_demo', 'memorepair_demo_plain'] AND (n:Artifact OR n:RepairEvent OR n:Gate)
DETACH DELETE n
RETURN count(n) AS deleted
