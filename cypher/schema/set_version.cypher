// Note which schema version this database has; the first writer wins, a newer version raises it.
//
// access:  write
// params:  version INTEGER
// returns: version INTEGER
MERGE (s:MemoRepairSchema {name: 'memorepair'})
ON CREATE SET s.version = $version
SET s.version = CASE WHEN s.version < $version THEN $version ELSE s.version END
RETURN s.version AS version
