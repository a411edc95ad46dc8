// Refuse a write that settles artifacts of an event, unless this worker has the event and the event has a plan.

WITH event, CASE
  // block: claim
  WHEN NOT event.status IN ['planned', 'repairing'] THEN ['event_conflict', 'event ' + $event_id + ' is ' + event.status]
  ELSE ['', ''] END AS verdict
