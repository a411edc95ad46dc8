// Return the candidates of a plan as columns, one entry a candidate; what is absent is an empty text, 0 or an empty list.
//
// Columns, because rows are slow to read in Python (block cascade_columns); no nulls, because collect() leaves them out.

RETURN collect(a.id) AS ids, collect(a.key) AS keys, collect(CASE WHEN a.kind IN ['record', 'cache', 'summary', 'skill'] THEN a.kind ELSE 'summary' END) AS kinds,
  collect(CASE WHEN a.arch IN ['neural', 'prompt', 'chain'] THEN a.arch ELSE '' END) AS archs,
  collect(coalesce(r.operator, '')) AS operators, collect(r.mode) AS modes, collect(r.selected) AS selected,
  collect(r.executable) AS executable, collect(coalesce(r.reason, '')) AS reasons, collect(coalesce(r.value, 0.0)) AS values,
  collect(coalesce(r.cost, 0.0)) AS costs, collect(coalesce(r.level, 0)) AS levels,
  collect(coalesce(r.predecessors, [])) AS predecessors, collect(coalesce(r.supports, [])) AS supports
