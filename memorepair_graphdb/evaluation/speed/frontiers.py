"""Measures the frontier over λ beside single cuts, as no other solver has one.

It is compared with cuts along its whole length before a time is told.
"""

from __future__ import annotations

from functools import partial
from statistics import median
from typing import Any

from ...solver.closure import Frontier, frontier, maximum_closure
from .comparison import agree, round_figure
from .problem import SelectionProblem
from .timing import seconds

_CHECKED = 5
_FINEST = 10_000
"""The largest denominator of a λ at which the frontier is compared with a cut: some are too fine for a cut."""


def measure_frontier(task: SelectionProblem) -> dict[str, Any]:
    """Measure every breakpoint, and how many single cuts could be made in that time."""
    network = task.network
    whole = partial(frontier, network.value, network.cost, network.requires)
    one = partial(maximum_closure, task.profit(task.tradeoff), network.requires)
    breakpoints = _compare(task, whole())
    times = [(seconds(whole), seconds(one)) for _ in range(task.rounds)]
    return {
        "breakpoints": breakpoints,
        "ours_s": round_figure(median(ours for ours, _ in times)),
        "cuts_in_that_time": round_figure(median(ours / cut for ours, cut in times)),
        "rounds": task.rounds,
    }


def _compare(task: SelectionProblem, found: Frontier) -> int:
    """Return how many breakpoints there are; near some of them, the frontier's choice has the value of a cut's."""
    curve = found.curve()
    for point in curve[:: max(1, len(curve) // _CHECKED)]:
        at = point.tradeoff.limit_denominator(_FINEST)
        profit = task.profit(at)
        sides = {"frontier": found.at(at), "cut": maximum_closure(profit, task.network.requires)}
        agree({name: [int(profit[chosen].sum())] for name, chosen in sides.items()})
    return len(curve)
