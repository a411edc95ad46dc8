"""Measures a choice within a budget: how near the best it is proved to be, and after how long.

What is chosen is held to the budget and to the closure before a time is told.
"""

from __future__ import annotations

from functools import partial
from statistics import median
from typing import Any

from ...solver.closure import frontier, within_budget
from .comparison import round_figure
from .problem import SelectionProblem
from .timing import seconds

GAP = 1e-4
LIMIT = 2.0
"""the gap and the seconds at which the search may stop"""


def measure_budget(task: SelectionProblem) -> dict[str, Any]:
    """Measure the most value within half of what everything costs, and what it takes beyond the frontier."""
    network = task.network
    budget = int(network.cost.sum()) // 2
    whole = partial(frontier, network.value, network.cost, network.requires)
    work = partial(within_budget, network.value, network.cost, network.requires, budget, gap=GAP, time_limit=LIMIT)
    choice = work()
    broken = (choice.chosen[network.requires[:, 0]] & ~choice.chosen[network.requires[:, 1]]).any()
    if broken or int(network.cost[choice.chosen].sum()) > budget:
        raise RuntimeError("what was chosen within the budget is not closed, or costs more")
    times = [(seconds(work), seconds(whole)) for _ in range(task.rounds)]
    return {
        "gap": round_figure(choice.gap),
        "status": choice.status,
        "ours_s": round_figure(median(ours for ours, _ in times)),
        "beyond_the_frontier_s": round_figure(median(ours - before for ours, before in times)),
        "value_share": round_figure(int(network.value[choice.chosen].sum()) / int(network.value.sum())),
        "rounds": task.rounds,
    }
