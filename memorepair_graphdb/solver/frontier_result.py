"""Holds the frontier as its user sees it: who is selected at which λ, and what that is worth and costs.

Breakpoints are `Fraction`s, compared exactly. Selections are nested, so that one number a node holds them all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bounds import dependents_of
from .frontier import Cutters, solve_ratios
from .layers import Ints, Layers
from .topology import Topology
from .validate import check_tie, check_tradeoff


class Point(NamedTuple):
    """What the largest selection at a breakpoint brings and costs; a breakpoint is the λ down to which it pays."""

    tradeoff: Fraction
    value: int
    cost: int
    candidates: int


@dataclass(frozen=True, slots=True, eq=False)
class Frontier:
    """All optimal selections, for every λ ≥ 0.

    At a breakpoint itself the largest optimum holds the candidates of that breakpoint, the smallest does not: the
    largest selects i for λ ≤ λ*_i, the smallest for λ < λ*_i. A candidate without value and cost changes no sum: the
    largest has it as soon as all it needs is selected, the smallest only when a selected one needs it.
    """

    numerators: Ints
    denominators: Ints
    """int64[k] each: the breakpoints, in lowest terms, falling"""
    step: Ints
    """int64[n]: which breakpoint is λ*; -1 where every λ selects it, k where none does"""
    lean_step: Ints
    """int64[n]: the same for the smallest optimum"""
    value: NDArray[np.int64]
    cost: NDArray[np.int64]

    def tradeoff(self, node: int) -> Fraction | float | None:
        """Return the largest λ at which a node is selected.

        It is ∞ where it and all it needs cost nothing, None where never.
        """
        step = int(self.step[node])
        if step < 0:
            return inf
        return None if step == self.numerators.size else self.breakpoint(step)

    def breakpoint(self, step: int) -> Fraction:
        """Return the λ of a step, counted from the largest."""
        return Fraction(int(self.numerators[step]), int(self.denominators[step]))

    def at(self, tradeoff: Fraction | int, tie: Literal["smallest", "largest"] = "smallest") -> NDArray[np.bool_]:
        """Return the selection at λ ≥ 0, as `maximum_closure` makes it: bool[n]. Raises `BadInput` for λ < 0."""
        check_tie(tie)
        check_tradeoff(tradeoff)
        rising = _Negated(self)
        if tie == "largest":
            return self.step < bisect_right(rising, -tradeoff)
        return self.lean_step < bisect_left(rising, -tradeoff)

    def curve(self) -> list[Point]:
        """Return for each breakpoint, from the largest λ down, what its selection brings and costs."""
        steps = self.numerators.size
        index = self.step + 1
        sums = [
            np.cumsum(np.bincount(index, figures, steps + 2)[: steps + 1])[1:].astype(np.int64).tolist()
            for figures in (self.value, self.cost, np.ones(index.size))
        ]
        return [Point(self.breakpoint(step), *point) for step, point in enumerate(zip(*sums, strict=True))]


class _Negated(Sequence[Fraction]):
    """The breakpoints with a minus sign, rising, made as they are asked for."""

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier

    def __len__(self) -> int:
        return self._frontier.numerators.size

    def __getitem__(self, step: int) -> Fraction:  # type: ignore[override]
        return -self._frontier.breakpoint(step)


def trace(
    value: NDArray[np.int64],
    cost: NDArray[np.int64],
    topology: Topology,
    forbidden: NDArray[np.bool_] | None,
    cutters: Cutters,
) -> Frontier:
    """Find the frontier of checked figures; `forbidden` bool[n] is what no λ selects, with all that needs it."""
    layers = topology.layers
    worth, price = topology.gathered(value, forbidden), topology.gathered(cost)
    barred = dependents_of(worth == -np.inf, layers)
    free = ~dependents_of(barred | (price > 0), layers)
    open_ = ~barred & ~free
    num, den = solve_ratios(worth[open_], price[open_], layers.kept(open_), cutters)
    tops, bottoms, ranks = _rank(num, den)
    step = np.where(free, -1, tops.size)
    step[open_] = ranks
    lean = _lower_by_needs(step, np.flatnonzero((worth == 0) & (price == 0)), layers, tops.size)
    return Frontier(tops, bottoms, step[topology.group], lean[topology.group], value, cost)


def _rank(num: Ints, den: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the distinct fractions, falling, and the index of each given one among them; all are in lowest terms."""
    ratio = num / den
    order = np.lexsort((den, num, -ratio))
    num, den, ratio = num[order], den[order], ratio[order]
    fresh = np.ones(order.size, np.bool_)
    fresh[1:] = (num[1:] != num[:-1]) | (den[1:] != den[:-1])
    rank = np.empty(order.size, np.int64)
    rank[order] = np.cumsum(fresh) - 1
    tops, bottoms = num[fresh], den[fresh]
    if (np.diff(ratio[fresh]) == 0).any():  # as doubles they are equal, and they are not
        exact = [Fraction(top, bottom) for top, bottom in zip(tops.tolist(), bottoms.tolist(), strict=True)]
        falling = np.array(sorted(range(len(exact)), key=exact.__getitem__, reverse=True), np.int64)
        tops, bottoms, rank = tops[falling], bottoms[falling], np.argsort(falling)[rank]
    return tops, bottoms, rank


def _lower_by_needs(step: Ints, zeros: Ints, layers: Layers, never: int) -> Ints:
    """Return the steps for the smallest optimum, where what has no value and no cost waits for one that needs it."""
    lean = step.copy()
    waiting = zeros[step[zeros] < never]
    for node in waiting[::-1].tolist():  # what needs it has a higher number
        users = lean[layers.uses.beside(np.array([node]))]
        lean[node] = users.min() if users.size else never
    return lean
