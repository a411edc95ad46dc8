// Turn the edges into an artifact that was retired into history: INFLUENCES becomes INFLUENCED.
//
// A cascade follows INFLUENCES alone, so it walks the live graph, and its cost does not grow with the number of versions.
// Erasing, and the search for retracted roots, follow both.

MATCH (source)-[edge:INFLUENCES]->(gone)
CREATE (source)-[past:INFLUENCED]->(gone)
SET past = properties(edge)
DELETE edge
