// The key that a space's tombstones are hashed with; no row where the space was never set up.
//
// access:  read
// params:  space STRING
// returns: tombstone_key STRING
MATCH (first:Gate {space: $space, stripe: 0})
WHERE first.tombstone_key IS NOT NULL
RETURN first.tombstone_key AS tombstone_key
