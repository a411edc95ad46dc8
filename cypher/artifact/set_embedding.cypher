// Give the replacement of a corrected root its embedding, once there is one; the barrier did not wait for it.
//
// access:  write
// params:  space STRING, event_id STRING, id STRING, content_hash STRING, embedding LIST<FLOAT>
// returns: status STRING, detail STRING
CYPHER 25
// begin block: one_stripe
WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
// end block: one_stripe
// begin block: event_lock
CALL () {
  MATCH (event:RepairEvent {space: $space, id: $event_id})
  SET event.lock = true
  REMOVE event.lock
  RETURN count(event) AS events
}
WITH gates, events
OPTIONAL MATCH (event:RepairEvent {space: $space, id: $event_id})
// end block: event_lock
CALL () {
  OPTIONAL MATCH (a:Artifact {id: $id}) WHERE a:Visible AND a.space = $space AND a.content_hash = $content_hash
  SET a.embedding = $embedding
  RETURN count(a) AS given
}
RETURN CASE WHEN given = 1 THEN 'done' ELSE 'refused' END AS status,
  CASE WHEN given = 1 THEN '' ELSE $id + ' is not in service with this content' END AS detail
