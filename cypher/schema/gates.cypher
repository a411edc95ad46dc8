// Make the stripes of a space's gate, and the key that its tombstones are hashed with.
//
// access:  write
// params:  space STRING, tombstone_key STRING
// returns: gates INTEGER, tombstone_key STRING
// begin block: all_stripes
UNWIND range(0, 15) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: all_stripes
MATCH (first:Gate {space: $space, stripe: 0})
SET first.tombstone_key = coalesce(first.tombstone_key, $tombstone_key), first.seq = coalesce(first.seq, 0)
RETURN gates, first.tombstone_key AS tombstone_key
