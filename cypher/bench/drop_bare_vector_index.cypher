// Drop the index of a measurement.
//
// access:  write
// params:  none
// returns: nothing
DROP INDEX memorepair_bench_embedding IF EXISTS
