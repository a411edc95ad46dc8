"""Fills what a closure leaves of a budget greedily, by candidates with all that they still need; and perturbs values.

What comes back is closed, and within the budget.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bundles import GreedyFill, NeedsNetwork
from .knapsack import Knapsack, Members
from .layers import Ints, Layers
from .validate import FIGURE_LIMIT

_SMOOTHED, _STRENGTHS, _FINE = 2, (0.05, 0.15, 0.4), 64.0
"""the noise: how often it is averaged over neighbours, how strong it is, into how many parts a unit of value is cut"""

_TRIES = 2000
"""So many candidates are tried in each order."""


def fill_greedily(task: Knapsack, base: Members, step: Ints) -> Members:
    """Return the best of three fillings of `base`: by λ* (`step`, int64[n]), by gain for cost, by gain."""
    network = NeedsNetwork(task.gain, task.cost, task.layers.needs)
    ratio = task.gain / np.maximum(task.cost, 0.5)
    best = base
    for score in (-step.astype(np.float64), ratio, task.gain.astype(np.float64)):
        best = task.better(best, _fill_by_score(task, network, base, score))
    return best


def _fill_by_score(task: Knapsack, network: NeedsNetwork, base: Members, score: NDArray[np.float64]) -> Members:
    filling = GreedyFill(network, base, task.budget - task.spent(base))
    fits = np.flatnonzero(~base & (task.cost <= filling.left) & (task.gain > 0))
    for node in fits[np.argsort(-score[fits], kind="stable")][:_TRIES].tolist():
        filling.try_bundle(node)
    return np.array(filling.taken, dtype=np.bool_)


def perturb(value: Ints, layers: Layers, seed: int) -> Ints:
    """Return the values, finer, each times a factor near 1 that is like its neighbours': int64[n]."""
    rng = np.random.default_rng(seed)
    needs, noise = layers.needs, rng.standard_normal(value.size)
    degree = np.bincount(needs.own, minlength=value.size) + np.bincount(needs.other, minlength=value.size) + 1
    for _ in range(_SMOOTHED):
        near = np.bincount(needs.own, noise[needs.other], value.size)
        near += np.bincount(needs.other, noise[needs.own], value.size)
        noise = (noise + near) / np.sqrt(degree)
    strength = rng.choice(_STRENGTHS) * noise / max(float(noise.std()), 1e-9)
    fine = min(_FINE, (FIGURE_LIMIT >> 4) / (1 + float(value.sum())))
    finer: Ints = np.rint(value * np.exp(np.clip(strength, -2.0, 2.0)) * fine).astype(np.int64)
    return finer
