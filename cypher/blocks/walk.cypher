// Walk from an event to all that it reaches over influence edges: the cascade C(F), each artifact once.
//
// One search for all roots, from the event node, and DISTINCT end nodes: the planner then takes a pruning breadth-first search,
// `VarLengthExpand(Pruning,BFS,All)`, 0.2 s for 100,000 artifacts and 1.6 s for 1,000,000. A predicate inside the pattern makes
// it enumerate paths instead (44 minutes against 1.5 s in a reported case), and nothing says so: a test asks EXPLAIN for the
// operator (tests/store/test_barrier.py).

MATCH (event)-[:ROOT|INFLUENCES*1..]->(x)
WITH DISTINCT event, x
