// Take the exclusive lock on the stripes of a space's gate; a block of `one_stripe` and `all_stripes`.
//
// SET takes the lock, REMOVE leaves no property behind, and both come before anything is read: a lock that is taken after the
// first read protects nothing that was read. Three shorter forms each let a derivation of a withdrawn source into service in
// 38 of 40 raced rounds: MERGE without SET (finding a node takes no lock), gate and parent in one MATCH, and a parent that was
// matched before the lock. MERGE makes a stripe that is missing; a MATCH would find none, lock nothing and go on.

MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
