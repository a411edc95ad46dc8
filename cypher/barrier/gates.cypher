// Take the gate of a space for this transaction: what is read behind it stays so until the transaction ends.
//
// For an event whose roots are looked for: they are fixed behind the same gate that the barrier holds, so that none comes between.
//
// access:  write
// params:  space STRING
// returns: gates INTEGER
CYPHER 25
// begin block: all_stripes
UNWIND range(0, 15) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: all_stripes
RETURN gates
