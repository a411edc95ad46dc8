// Drop the full-text index of schema version 1, which was over contents as they were spelt.
//
// access:  schema
// params:  none
// returns: nothing
DROP INDEX memorepair_visible_text IF EXISTS
