// What the last repairs of a space did cost, by what their operators' own estimates had said: one entry an operator and event.
//
// A ratio is the median over the artifacts of one event of what was spent by what was estimated; of an event that was closed
// before medians were kept, it is that of the sums. An estimate is stored times the factor that was in use when its event was
// planned; here it is taken without.
//
// access:  read
// params:  space STRING, events INTEGER
// returns: operators LIST<STRING>, runs LIST<INTEGER>, ratios LIST<FLOAT>
CYPHER 25
CALL () {
  MATCH (event:RepairEvent {space: $space})
  WHERE event.status = 'closed' AND event.learned_operators IS NOT NULL
  WITH event
  ORDER BY event.seq DESC
  LIMIT $events
  UNWIND range(0, size(event.learned_operators) - 1) AS n
  WITH event, n, event.learned_operators[n] AS operator, coalesce(event.learned_ratios[n],
    CASE WHEN event.learned_cost[n] > 0 THEN event.learned_spent[n] / event.learned_cost[n] END) AS ratio
  WITH operator, event.learned_runs[n] AS runs, ratio * coalesce(
    head([m IN range(0, size(event.factor_operators) - 1) WHERE event.factor_operators[m] = operator | event.factors[m]]), 1.0) AS ratio
  FILTER ratio IS NOT NULL
  ORDER BY operator, ratio
  RETURN collect(operator) AS operators, collect(runs) AS runs, collect(ratio) AS ratios
}
RETURN operators, runs, ratios
