// Say that one artifact influenced another, after the fact; both by id or key.
//
// access:  write
// params:  space STRING, source STRING, target STRING, role STRING, required ANY
// returns: status STRING, rule STRING, detail STRING, source_id STRING, target_id STRING
CYPHER 25
// begin block: all_stripes
UNWIND range(0, 15) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: all_stripes
CALL () {
  OPTIONAL MATCH (named:Artifact {id: $source}) WHERE named.space = $space
  OPTIONAL MATCH (keyed:Artifact {space: $space, key: $source}) WHERE keyed:Visible OR keyed:Withdrawn
  RETURN coalesce(named, keyed) AS source
}
CALL () {
  OPTIONAL MATCH (named:Artifact {id: $target}) WHERE named.space = $space
  OPTIONAL MATCH (keyed:Artifact {space: $space, key: $target}) WHERE keyed:Visible OR keyed:Withdrawn
  RETURN coalesce(named, keyed) AS target
}
WITH source, target, CASE
  WHEN source IS NULL THEN ['not_found', $source + ' is no artifact of this space']
  WHEN target IS NULL THEN ['not_found', $target + ' is no artifact of this space']
  WHEN source = target THEN ['bad_input', $source + ' cannot influence itself']
  WHEN NOT source:Visible THEN ['out_of_service', source.key + ' (' + source.id + ') is out of service']
  WHEN NOT (target:Visible OR target:Withdrawn) THEN ['out_of_service', target.key + ' (' + target.id + ') is history, it is not changed']
  ELSE ['', ''] END AS verdict
CALL (source, target, verdict) {
  FILTER verdict[0] = ''
  OPTIONAL MATCH (source)-[same:INFLUENCES]->(target) WHERE coalesce(same.role, '') = coalesce($role, '')
  WITH source, target, count(same) AS same
  FILTER same = 0
  CREATE (source)-[:INFLUENCES {role: $role, required: $required}]->(target)
  RETURN count(*) AS made
}
RETURN CASE WHEN verdict[0] = '' THEN 'done' ELSE 'refused' END AS status, verdict[0] AS rule, verdict[1] AS detail,
  source.id AS source_id, target.id AS target_id
