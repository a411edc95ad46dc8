// Delete the gates of a measured space.
//
// access:  write
// params:  space STRING
// returns: deleted INTEGER
MATCH (g:Gate {space: $space})
DELETE g
RETURN count(*) AS deleted
