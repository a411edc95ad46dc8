"""Fixes variables that no better solution can change, so that little is left for the integer program.

Bounds are doubles, with a margin well above their error: what is doubtful stays open.

At the multiplier μ of the budget, `base` maximises Σ(gain − μ·cost) over closures: with μ·budget that is the bound L. A
solution with node j outside is worth L + N(j) at most, N as in `bounds`, over what is not in `base`; one without node i
inside L + M(i), M over `base`.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .bounds import Doubles, dependents_of, sweep
from .knapsack import Knapsack, Members
from .layers import Layers
from .validate import PROFIT_LIMIT

_MARGIN = 1e-7


def fix_variables(task: Knapsack, base: Members, multiplier: Fraction, incumbent: int) -> tuple[Members, Members]:
    """Return what every better solution has, and what none has: two bool[n]."""
    reduced = task.gain - float(multiplier) * task.cost
    bound = float(reduced[base].sum()) + float(multiplier * task.budget)
    size = float(np.abs(reduced).sum()) + abs(bound)
    unit = max(1.0, 2 * size / PROFIT_LIMIT)  # sweeps take no more than that for a sum that can be
    slack = (incumbent + 1 - bound - _MARGIN * (1 + size * 1e-2)) / unit
    reduced /= unit
    inside, outside = np.zeros(base.size, np.bool_), np.zeros(base.size, np.bool_)
    outside[~base] = _sweep(reduced[~base], task.layers.kept(~base), falling=True) < slack
    inside[base] = _sweep(-reduced[base], task.layers.kept(base), falling=False) < slack
    return _required_by(inside, task.layers), dependents_of(outside, task.layers)


def _sweep(start: Doubles, layers: Layers, falling: bool) -> Doubles:
    value = start.copy()
    sweep(value, layers.downward() if falling else layers.upward())
    return value


def _required_by(those: Members, layers: Layers) -> Members:
    """Return those nodes, and all that one of them needs: bool[n]."""
    reach = np.where(those, np.inf, 0.0)
    sweep(reach, layers.downward())
    needed: Members = reach > 0
    return needed
