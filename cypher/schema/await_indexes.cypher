// Wait until every index is populated.
//
// access:  read
// params:  seconds INTEGER
// returns: nothing
CALL db.awaitIndexes($seconds)
