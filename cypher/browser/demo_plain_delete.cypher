// What a store without provenance does when something is deleted: that one node goes, and all that came of it stays.
// For `memorepair demo` alone, to show what leaks; in earnest use barrier/withdraw.
//
// access:  write
// params:  key STRING
// returns: deleted INTEGER
MATCH (a:Artifact {space: 'memorepair_demo_plain', key: $key})
DETACH DELETE a
RETURN count(a) AS deleted
