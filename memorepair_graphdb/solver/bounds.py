"""Decides nodes without a cut, by bounds that flow level by level (Rules N and M).

A profit of +∞ stands for "in", -∞ for "out"; between them are integers in doubles. Sums that no double holds exactly
are so large that they decide nothing.

Why it is exact: let S be an optimal closure with node j, and D the part of S that needs j. S without D is a closure, so
the profits of D sum to 0 or more. A spanning tree of D, rooted at j, shows that they sum to N(j) or less, where N(j) is
p_j plus all positive N of what needs j. N(j) < 0 is then a contradiction: j is in no optimum. M bounds in the same way
what it costs to add a node with all it needs. Where N = 0, the smallest optimum leaves j out; where M = 0, the largest
has it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .layers import Layers, Steps
from .validate import PROFIT_LIMIT

Doubles = NDArray[np.float64]


def sweep(value: Doubles, steps: Steps) -> None:
    """Add to each node's value, in place, all positive ones that flow into it, which have had theirs added before."""
    if steps.bounds is None:
        _sweep_singly(value, steps)
        return
    for row, row_end, edge, edge_end in steps.bounds:
        flow = value.take(steps.sources[edge:edge_end])
        np.maximum(flow, 0.0, out=flow)
        rows = steps.rows[row:row_end]
        total = np.add.reduceat(flow, steps.starts[row:row_end])
        total += value[rows]
        if total.max() > PROFIT_LIMIT:  # no closure has more: a bound, and no growth from level to level
            np.minimum(total, PROFIT_LIMIT, out=total, where=total < np.inf)
        value[rows] = total


def _sweep_singly(value: Doubles, steps: Steps) -> None:
    values, sources = value.tolist(), steps.sources.tolist()
    begins, ends = steps.starts.tolist(), np.append(steps.starts[1:], steps.sources.size).tolist()
    rows = list(zip(steps.rows.tolist(), begins, ends, strict=True))
    for row, begin, end in reversed(rows) if steps.falling else rows:
        total = values[row]
        for source in sources[begin:end]:
            if values[source] > 0:
                total += values[source]
        values[row] = total if total <= PROFIT_LIMIT or total == np.inf else float(PROFIT_LIMIT)
    value[:] = values


def decide_upward(profit: Doubles, layers: Layers, largest: bool) -> None:
    """Apply rule M; out goes what needs something that is out."""
    loss = -profit
    sweep(loss, layers.upward())
    profit[loss <= 0 if largest else loss < 0] = np.inf
    profit[loss == np.inf] = -np.inf


def decide_downward(profit: Doubles, layers: Layers, largest: bool) -> None:
    """Apply rule N; in comes what something needs that is in, and out goes what needs something that N put out."""
    gain = profit.copy()
    steps = layers.downward()
    sweep(gain, steps)
    out = gain < 0 if largest else gain <= 0
    fresh = np.flatnonzero(out & (profit != -np.inf))
    profit[out] = -np.inf
    profit[gain == np.inf] = np.inf
    if steps.bounds is None:
        exclude_dependents(profit, layers)
        return
    while fresh.size:
        users = layers.uses.beside(fresh)
        fresh = np.unique(users[profit[users] != -np.inf])
        profit[fresh] = -np.inf


def exclude_dependents(profit: Doubles, layers: Layers) -> None:
    """Put out what needs something that is out."""
    profit[dependents_of(profit == -np.inf, layers)] = -np.inf


def dependents_of(those: NDArray[np.bool_], layers: Layers) -> NDArray[np.bool_]:
    """Return those nodes, and all that need one of them: bool[n]."""
    reach = np.where(those, np.inf, 0.0)
    sweep(reach, layers.upward())
    reached: NDArray[np.bool_] = reach > 0
    return reached
