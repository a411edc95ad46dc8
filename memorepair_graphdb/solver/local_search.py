"""Improves a selection within a budget by large neighbourhood search: gives some candidates up, and fills again.

Each candidate of positive gain stands for itself with all it needs. What none of those that stay needs is given up too,
so that what stays is closed. Seeded: the same search on every machine, but for its end.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from .bounds import Doubles
from .knapsack import Knapsack, Members
from .layers import Layers

LARGEST = 4_000_000
"""So many numbers may the table of bundles have: heads times nodes."""

_PATIENCE = 100
"""So many rounds without a better one end the search."""

_GIVEN_UP = (0.05, 0.1, 0.2, 0.35)
_NOISE = (0.0, 0.1, 0.3)
"""the shares that are given up, and how far the order of taking strays from gain for cost; drawn for each round"""


def search_neighbourhoods(task: Knapsack, chosen: Members, go_on: Callable[[Members], bool]) -> Members:
    """Return the best found from a solution on; `go_on` is told it after each round, and ends the search with False."""
    heads = np.flatnonzero(task.gain > 0)
    if heads.size * task.gain.size > LARGEST:
        return chosen
    draw = np.random.default_rng(0)
    bundles = _bundles(task.layers, heads)
    figures = np.stack([task.gain, task.cost], axis=1).astype(np.float64)
    best, worth, idle = chosen, task.worth(chosen), 0
    while idle < _PATIENCE and go_on(best):
        idle += 1
        kept = heads[best[heads] & (draw.random(heads.size) >= draw.choice(_GIVEN_UP))]
        found = _rebuild(task, heads, bundles, figures, kept, draw)
        if (new := task.worth(found)) >= worth:
            best, worth, idle = found, new, idle if new == worth else 0
    return best


def _bundles(layers: Layers, heads: NDArray[np.int64]) -> Doubles:
    """Return for each head, 1 for itself and all that it needs: float64[heads, n]."""
    reach = np.eye(layers.size, dtype=np.bool_)
    ends = np.searchsorted(layers.needs.own, np.arange(layers.size + 1)).tolist()
    for node in range(layers.size):  # what it needs has a lower number
        for need in layers.needs.other[ends[node] : ends[node + 1]].tolist():
            reach[node] |= reach[need]
    return reach[heads].astype(np.float64)


def _rebuild(
    task: Knapsack,
    heads: NDArray[np.int64],
    bundles: Doubles,
    figures: Doubles,
    kept: NDArray[np.int64],
    draw: Generator,
) -> Members:
    """Return the bundles of the kept heads.

    Then follows, one after the other, the bundle that adds most gain for its cost.
    """
    stray = np.exp(draw.choice(_NOISE) * draw.standard_normal(heads.size))
    taken: Members = bundles[np.isin(heads, kept)].sum(axis=0) > 0
    left = task.budget - task.spent(taken)
    while True:
        gain, cost = (bundles @ np.where(taken[:, None], 0.0, figures)).T
        good = (cost <= left) & (gain > 0)
        if not good.any():
            return taken
        best = int(np.where(good, gain / np.maximum(cost, 0.5) * stray, -1.0).argmax())
        taken |= bundles[best] > 0
        left -= int(cost[best])
