// Move the semantic edges of a version `gone` that was succeeded to the live version that supersedes it, in both directions.
//
// Of two ends that are succeeded both move. An edge that the newer versions have already stays as it is, so none is doubled.

MATCH (gone)-[near:SEMANTIC]-(:Artifact)
WITH DISTINCT near, startNode(near) AS source, endNode(near) AS target
OPTIONAL MATCH (source)<-[:SUPERSEDES]-(source_next) WHERE source_next:Visible OR source_next:Withdrawn
OPTIONAL MATCH (target)<-[:SUPERSEDES]-(target_next) WHERE target_next:Visible OR target_next:Withdrawn
FILTER source_next IS NOT NULL OR target_next IS NOT NULL
WITH near, coalesce(source_next, source) AS source, coalesce(target_next, target) AS target
MERGE (source)-[moved:SEMANTIC]->(target)
ON CREATE SET moved = properties(near)
DELETE near
