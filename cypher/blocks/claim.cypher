// Arms of a CASE: refuse a write for an event that does not exist, or that another worker has claimed since.
//
// `attempt` is the fencing number that repair/claim gave; it is compared under the event's lock (block event_lock).

WHEN event IS NULL THEN ['not_found', 'no event ' + $event_id + ' in this space']
WHEN event.attempt <> $attempt THEN ['claim_lost', 'another worker has event ' + $event_id]
