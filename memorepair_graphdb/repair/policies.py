"""Other ways to choose than the exact one, in the same frame, for an evaluation to compare with.

The law of the room: same arguments, ties by position, and no set is called best; only `greedy_nodes` may choose what
lacks its needs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from .closure import maximum_closure
from .cut.checks import PROFIT_LIMIT, check_figures, check_forbidden, check_shape

Ints = NDArray[np.int64]
Chosen = NDArray[np.bool_]

logger = logging.getLogger(__name__)

_PATIENCE = 5_000_000
"""Nodes looked at in bundles that were not taken, before a policy takes no more: what an exact greedy search would look
at grows with n². At 1e5 nodes this is some seconds; below about 2,000 it cannot be reached."""


class Policy(Protocol):
    """Choose among n candidates.

    `value` and `cost` are int64[n], ≥ 0, in units of the caller's; `requires` int64[m, 2], rows (i, j) for "i needs
    j"; `executable` bool[n]; λ is the value that a unit of cost must bring. `budget`, in units of cost, is never
    exceeded. Returns bool[n]. Raises `BadInput` for figures that `frontier` would not take, a λ below 0 or too fine,
    or a negative budget.
    """

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
        """Choose."""
        ...


def repair_all(
    value: Ints,
    cost: Ints,
    requires: Ints,
    executable: Chosen,
    tradeoff: Fraction,
    *,
    budget: int | None = None,
) -> Chosen:
    """Everything that can be executed and whose needs all can (paper: Repair all); λ does not matter.

    With a budget: nothing unless all of it fits.
    """
    _check(value, cost, requires, executable, tradeoff, budget)
    chosen = _supported(executable, requires)
    if budget is not None and int(cost[chosen].sum()) > budget:
        chosen[:] = False
    return chosen


def greedy_ratio(
    value: Ints,
    cost: Ints,
    requires: Ints,
    executable: Chosen,
    tradeoff: Fraction,
    *,
    budget: int | None = None,
) -> Chosen:
    """Bundles by their head's w/c, highest first: greedy with closure.

    A bundle is a candidate with all it needs, at any remove, that is not taken yet; it is taken whole, when Σw − λΣc
    over it is positive and it fits into what is left of the budget. Who pays for itself, w > λc, heads one, once.
    """
    profit = _check(value, cost, requires, executable, tradeoff, budget)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = value / cost
    return _bundled(np.argsort(-ratio, kind="stable"), profit, cost, requires, executable, budget)


def value_first(
    value: Ints,
    cost: Ints,
    requires: Ints,
    executable: Chosen,
    tradeoff: Fraction,
    *,
    budget: int | None = None,
) -> Chosen:
    """Bundles as in `greedy_ratio`, by their head's value, highest first."""
    profit = _check(value, cost, requires, executable, tradeoff, budget)
    return _bundled(np.argsort(-value, kind="stable"), profit, cost, requires, executable, budget)


def cheapest_first(
    value: Ints,
    cost: Ints,
    requires: Ints,
    executable: Chosen,
    tradeoff: Fraction,
    *,
    budget: int | None = None,
) -> Chosen:
    """Bundles as in `greedy_ratio`, by their head's cost, lowest first."""
    profit = _check(value, cost, requires, executable, tradeoff, budget)
    return _bundled(np.argsort(cost, kind="stable"), profit, cost, requires, executable, budget)


def greedy_nodes(
    value: Ints,
    cost: Ints,
    requires: Ints,
    executable: Chosen,
    tradeoff: Fraction,
    *,
    budget: int | None = None,
) -> Chosen:
    """Every executable candidate with w − λc > 0 by itself, whatever it needs: breaks the closure.

    With a budget: by w − λc, highest first, each that still fits. What it breaks: `violations`, `unsupported`.
    """
    profit = _check(value, cost, requires, executable, tradeoff, budget)
    chosen = executable & (profit > 0)
    if budget is None:
        return chosen
    left, order = budget, np.argsort(-profit, kind="stable")
    for node in order[chosen[order]].tolist():
        spent = int(cost[node])
        chosen[node] = spent <= left
        left -= spent if spent <= left else 0
    return chosen


POLICIES: dict[str, Policy] = {
    "repair_all": repair_all,
    "greedy_ratio": greedy_ratio,
    "greedy_nodes": greedy_nodes,
    "value_first": value_first,
    "cheapest_first": cheapest_first,
}


def violations(chosen: Chosen, requires: Ints) -> int:
    """How many needs of chosen candidates are not chosen: rows (i, j) with i in and j out."""
    check_shape(requires, chosen.size, "requires")
    return int((chosen[requires[:, 0]] & ~chosen[requires[:, 1]]).sum())


def unsupported(chosen: Chosen, requires: Ints) -> Chosen:
    """The chosen that need, at any remove, what is not chosen: bool[n]; published, they would rest on what is stale."""
    return chosen & ~_supported(chosen, requires)


def _supported(allowed: Chosen, requires: Ints) -> Chosen:
    """The largest closed set among the allowed."""
    return maximum_closure(np.ones(allowed.size, dtype=np.int64), requires, ~allowed)


def _check(value: Ints, cost: Ints, requires: Ints, executable: Chosen, tradeoff: Fraction, budget: int | None) -> Ints:
    """The profits den·w − num·c of λ = num/den, exact; raises `BadInput` where there are none."""
    check_figures(value, cost)
    check_shape(requires, value.size, "requires")
    check_forbidden(executable, value.size)
    if tradeoff < 0 or (budget is not None and budget < 0):
        raise BadInput("λ and the budget are 0 or more")
    gain, loss = tradeoff.denominator, tradeoff.numerator
    if gain * int(value.sum()) + loss * int(cost.sum()) >= PROFIT_LIMIT:
        raise BadInput(f"λ = {tradeoff} is too fine for these figures: the profits would sum to 2^51 or more")
    return gain * value - loss * cost


def _bundled(
    order: NDArray[np.int64], profit: Ints, cost: Ints, requires: Ints, executable: Chosen, budget: int | None
) -> Chosen:
    """Take the bundles of the supported candidates with a profit of their own, in order."""
    allowed = _supported(executable, requires)
    heads = order[(allowed & (profit > 0))[order]]
    taking = _Taking(profit, cost, requires, budget)
    for head in heads.tolist():
        if taking.patience < 0:
            logger.info("too many bundles were not worth taking; the rest is left")
            break
        taking.try_bundle(head)
    return np.array(taking.taken, dtype=np.bool_)


class _Taking:
    """What has been taken so far, and what is left to spend."""

    def __init__(self, profit: Ints, cost: Ints, requires: Ints, budget: int | None) -> None:
        self.profit: list[int] = profit.tolist()
        self.cost: list[int] = cost.tolist()
        self.needs_of = _needs(requires, profit.size)
        self.left = int(cost.sum()) if budget is None else budget
        self.taken = [False] * profit.size
        self.dear = [False] * profit.size
        """whose bundle did not fit once: it never will, nor will one that holds it, as whatever is taken from a bundle
        leaves what is left by as much"""
        self.seen = [-1] * profit.size
        self.patience = _PATIENCE

    def try_bundle(self, head: int) -> None:
        """Take the bundle of a head if it fits, and is worth it."""
        if self.taken[head]:
            return
        bundle, spent = self._gather(head)
        if spent is not None and sum(map(self.profit.__getitem__, bundle)) > 0:
            self.left -= spent
            for node in bundle:
                self.taken[node] = True
            return
        self.dear[head] = spent is None
        self.patience -= len(bundle)

    def _gather(self, head: int) -> tuple[list[int], int | None]:
        """The bundle and its cost, breadth-first; None, and as much of it as was seen, when it cannot fit."""
        bundle, spent = [head], 0
        self.seen[head] = head
        for node in bundle:  # it grows while we walk it
            spent += self.cost[node]
            if spent > self.left or self.dear[node]:
                return bundle, None
            for need in self.needs_of(node):
                if self.seen[need] != head and not self.taken[need]:
                    self.seen[need] = head
                    bundle.append(need)
        return bundle, spent


def _needs(requires: Ints, size: int) -> Callable[[int], list[int]]:
    """Node → what it needs."""
    order = np.argsort(requires[:, 0], kind="stable")
    needs = requires[order, 1].tolist()
    starts = np.searchsorted(requires[order, 0], np.arange(size + 1)).tolist()
    return lambda node: needs[starts[node] : starts[node + 1]]
