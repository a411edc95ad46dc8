// The indexes and constraints that are ours, for the comparison with the node classes.
//
// access:  read
// params:  none
// returns: name STRING, type STRING, state STRING, labels LIST<STRING>, properties LIST<STRING>, constraint STRING, options MAP
SHOW INDEXES YIELD name, type, state, labelsOrTypes, properties, owningConstraint, options
WHERE name STARTS WITH 'memorepair_'
RETURN name, type, state, labelsOrTypes AS labels, properties, owningConstraint AS constraint, options
ORDER BY name
