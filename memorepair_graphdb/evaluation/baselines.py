"""Holds policies to compare the exact choice with, in the same frame.

Same arguments, ties by position, and no set is called best; only `greedy_nodes` may choose what lacks its needs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..solver.bundles import GreedyFill, NeedsNetwork
from ..solver.closure import maximum_closure
from ..solver.layers import Side
from ..solver.validate import PROFIT_LIMIT, check_figures, check_forbidden, check_shape

Ints = NDArray[np.int64]
Chosen = NDArray[np.bool_]

_log = logging.getLogger(__name__)

PATIENCE = 5_000_000
"""Nodes looked at in bundles that were not taken, before a policy takes no more: what an exact greedy search would look
at grows with n². At 1e5 nodes this is some seconds; below about 2,000 it cannot be reached."""


@dataclass(frozen=True, slots=True)
class _PolicyInput:
    """What a policy chooses from, checked."""

    value: Ints
    cost: Ints
    requires: Ints
    executable: Chosen
    profit: Ints
    """den·w − num·c of λ = num/den, exact"""
    budget: int | None


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to choose among candidates."""

    _choose: Callable[[_PolicyInput], Chosen]

    def __call__(
        self,
        value: Ints,
        cost: Ints,
        requires: Ints,
        executable: Chosen,
        tradeoff: Fraction,
        *,
        budget: int | None = None,
    ) -> Chosen:
        """Choose among n candidates.

        `value` and `cost` are int64[n], ≥ 0, in units of the caller's; `requires` int64[m, 2], rows (i, j) for "i
        needs j"; `executable` bool[n]; λ is the value that a unit of cost must bring. `budget`, in units of cost, is
        never exceeded. Returns bool[n]. Raises `BadInput` for figures that `frontier` would not take, a λ below 0 or
        too fine, or a negative budget.
        """
        profit = _profit(value, cost, requires, executable, tradeoff, budget)
        return self._choose(_PolicyInput(value, cost, requires, executable, profit, budget))


def _everything(problem: _PolicyInput) -> Chosen:
    chosen = _largest_closed(problem.executable, problem.requires)
    if problem.budget is not None and int(problem.cost[chosen].sum()) > problem.budget:
        chosen[:] = False
    return chosen


def _nodes(problem: _PolicyInput) -> Chosen:
    chosen = problem.executable & (problem.profit > 0)
    if problem.budget is None:
        return chosen
    left, order = problem.budget, np.argsort(-problem.profit, kind="stable")
    for node in order[chosen[order]].tolist():
        spent = int(problem.cost[node])
        chosen[node] = spent <= left
        left -= spent if spent <= left else 0
    return chosen


def _ratio(problem: _PolicyInput) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return problem.value / problem.cost


def _bundles_by(score: Callable[[_PolicyInput], NDArray[Any]]) -> Policy:
    """Take the bundles of the supported candidates with a profit of their own, the highest score first."""

    def choose(problem: _PolicyInput) -> Chosen:
        allowed = _largest_closed(problem.executable, problem.requires)
        order = np.argsort(-score(problem), kind="stable")
        network = NeedsNetwork(problem.profit, problem.cost, Side.of(problem.requires[:, 0], problem.requires[:, 1]))
        left = int(problem.cost.sum()) if problem.budget is None else problem.budget
        taking = GreedyFill(network, np.zeros(allowed.size, dtype=np.bool_), left)
        for head in order[(allowed & (problem.profit > 0))[order]].tolist():
            if taking.refused > PATIENCE:
                _log.info("too many bundles were not worth taking; the rest is left")
                break
            taking.try_bundle(head)
        return np.array(taking.taken, dtype=np.bool_)

    return Policy(choose)


repair_all = Policy(_everything)
"""Everything that can be executed and whose needs all can (paper: Repair all); λ does not matter.

With a budget: nothing unless all of it fits."""

greedy_ratio = _bundles_by(_ratio)
"""Bundles by their head's w/c, highest first: greedy with closure.

A bundle is a candidate with all it needs, at any remove, that is not taken yet; it is taken whole, when Σw − λΣc over
it is positive and it fits into what is left of the budget. Who pays for itself, w > λc, heads one, once."""

value_first = _bundles_by(lambda problem: problem.value)
"""Bundles as in `greedy_ratio`, by their head's value, highest first."""

cheapest_first = _bundles_by(lambda problem: -problem.cost)
"""Bundles as in `greedy_ratio`, by their head's cost, lowest first."""

greedy_nodes = Policy(_nodes)
"""Every executable candidate with w − λc > 0 by itself, whatever it needs: breaks the closure.

With a budget: by w − λc, highest first, each that still fits. What it breaks: `violations`, `unsupported`."""

POLICIES: dict[str, Policy] = {
    "repair_all": repair_all,
    "greedy_ratio": greedy_ratio,
    "greedy_nodes": greedy_nodes,
    "value_first": value_first,
    "cheapest_first": cheapest_first,
}


def violations(chosen: Chosen, requires: Ints) -> int:
    """Return how many needs of chosen candidates are not chosen: rows (i, j) with i in and j out."""
    check_shape(requires, chosen.size, "requires")
    return int((chosen[requires[:, 0]] & ~chosen[requires[:, 1]]).sum())


def unsupported(chosen: Chosen, requires: Ints) -> Chosen:
    """Return the chosen that need, at any remove, what is not chosen: bool[n].

    Published, they would rest on what is stale.
    """
    return chosen & ~_largest_closed(chosen, requires)


def _largest_closed(allowed: Chosen, requires: Ints) -> Chosen:
    """Return the largest closed set among the allowed."""
    return maximum_closure(np.ones(allowed.size, dtype=np.int64), requires, ~allowed)


def _profit(
    value: Ints, cost: Ints, requires: Ints, executable: Chosen, tradeoff: Fraction, budget: int | None
) -> Ints:
    """Return the profits den·w − num·c of λ = num/den, exact; raise `BadInput` where there are none."""
    check_figures(value, cost)
    check_shape(requires, value.size, "requires")
    check_forbidden(executable, value.size)
    if tradeoff < 0 or (budget is not None and budget < 0):
        raise BadInput("λ and the budget are 0 or more")
    gain, loss = tradeoff.denominator, tradeoff.numerator
    if gain * int(value.sum()) + loss * int(cost.sum()) >= PROFIT_LIMIT:
        raise BadInput(f"λ = {tradeoff} is too fine for these figures: the profits would sum to 2^51 or more")
    return gain * value - loss * cost
