// What the last repairs of a space were expected to cost by their operators' own estimates, and what they did cost, in tokens.
//
// An estimate is stored times the factor that was in use when its event was planned; here it is taken without.
//
// access:  read
// params:  space STRING, events INTEGER
// returns: operators LIST<STRING>, runs LIST<INTEGER>, estimated LIST<FLOAT>, spent LIST<FLOAT>
CYPHER 25
CALL () {
  MATCH (event:RepairEvent {space: $space})
  WHERE event.status = 'closed' AND event.learned_operators IS NOT NULL
  WITH event
  ORDER BY event.seq DESC
  LIMIT $events
  UNWIND range(0, size(event.learned_operators) - 1) AS n
  WITH event, n, event.learned_operators[n] AS operator
  WITH operator, event.learned_runs[n] AS runs, event.learned_spent[n] AS spent, event.learned_cost[n] / coalesce(
    head([m IN range(0, size(event.factor_operators) - 1) WHERE event.factor_operators[m] = operator | event.factors[m]]), 1.0) AS estimated
  WITH operator, sum(runs) AS runs, sum(estimated) AS estimated, sum(spent) AS spent
  ORDER BY operator
  RETURN collect(operator) AS operators, collect(runs) AS runs, collect(estimated) AS estimated, collect(spent) AS spent
}
RETURN operators, runs, estimated, spent
