// The schema version of this database; no row before the first setup.
//
// access:  read
// params:  none
// returns: version INTEGER
MATCH (s:MemoRepairSchema {name: 'memorepair'})
RETURN s.version AS version
