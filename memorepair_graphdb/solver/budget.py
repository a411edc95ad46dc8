"""Finds a good selection within a budget, with a bound on the best there can be.

The selection is closed and within the budget, whatever stopped the search.

Steps: the frontier bounds every budget; its largest selection that fits is filled; frontiers of disturbed values are
tried, first of what its next step would add, and where the bound is far, of all; then what cannot change is pegged, and
HiGHS solves the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from . import milp
from .frontier_result import Frontier
from .greedy import fill_greedily, perturb
from .knapsack import Knapsack, Members
from .layers import Ints
from .local_search import search_neighbourhoods
from .pegging import fix_variables
from .topology import Topology

Retrace = Callable[[NDArray[np.int64], NDArray[np.int64], Topology], Frontier]
"""(values int64[n], costs int64[n], needs) → their frontier."""

_FAR = Fraction(1, 100)
"""Above this gap, disturbed values are tried."""
_TRIES = 12
_SHARE, _LONGER = 0.1, 0.4
"""of the time limit: for disturbed values, twice; and for exchange"""
_KEPT = 0.8
"""of what is then left, for HiGHS: it looks at its clock only now and then"""
_START = 1e-3
"""seconds a candidate, without which HiGHS is not begun: before its first look it can take that long (measured)"""


@dataclass(frozen=True, slots=True, eq=False)
class Budgeted:
    """The best selection found within a budget."""

    chosen: NDArray[np.bool_]
    """bool[n]"""
    value: Fraction
    """Σw − λΣc of it"""
    cost: int
    """Σc of it, the budget or less"""
    bound: Fraction
    """no selection within the budget has a greater value"""
    gap: float
    """(bound − value) / bound"""
    status: Literal["optimal", "gap", "time_limit"]
    """value is bound; is as near as was asked; or the time was over, or HiGHS can prove no more in doubles"""


def solve_within_budget(
    traced: Frontier,
    topology: Topology,
    retrace: Retrace,
    tradeoff: Fraction,
    budget: int,
    gap: Fraction,
    time_limit: float,
) -> Budgeted:
    """Find the best selection with Σc ≤ budget; stop at the gap, or after about `time_limit` seconds."""
    search = Search(traced, topology, tradeoff, budget, perf_counter() + time_limit)
    if search.gap() > gap:
        search.fill()
    if search.gap() > gap:
        search.perturb(retrace, False, gap, perf_counter() + _SHARE * time_limit)
    if search.gap() > max(gap, _FAR):
        search.perturb(retrace, True, max(gap, _FAR), perf_counter() + _SHARE * time_limit)
    if search.gap() > max(gap, _FAR):
        search.search_neighbourhoods(max(gap, _FAR), perf_counter() + _LONGER * time_limit)
    if search.gap() > gap:
        search.solve_rest(gap)
    return search.result(gap)


class Search:
    """The best so far, and the least bound, among the groups that are selected without a budget; all others are out.

    That is exact: with T within the budget and S the best without one, T ∩ S is closed, no dearer, and as good as T.
    """

    def __init__(self, traced: Frontier, topology: Topology, tradeoff: Fraction, budget: int, end: float) -> None:
        self._topology, self._end = topology, end
        self._scale = tradeoff.denominator
        self._part = np.zeros(topology.layers.size, np.bool_)
        self._part[topology.group[traced.at(tradeoff)]] = True
        gain = tradeoff.denominator * traced.value - tradeoff.numerator * traced.cost
        layers = topology.layers.kept(self._part)
        self._task = Knapsack(layers, self._per_group(gain), self._per_group(traced.cost), budget)
        self._step = self._steps_per_group(traced)
        self._worth = self._per_group(traced.value)
        self._base, self._next_step = _fitting(self._step, self._task.cost, budget)
        self._best, self._value = self._base, self._task.worth(self._base)
        self._multiplier = Fraction(0)
        if self._next_step is not None:
            self._multiplier = (traced.breakpoint(self._next_step) - tradeoff) * self._scale
        self._bound = self._value + floor(self._multiplier * (budget - self._task.spent(self._base)))

    def gap(self) -> Fraction:
        """(bound − value) / bound; 0 where both are 0."""
        return Fraction(self._bound - self._value, self._bound) if self._bound else Fraction(0)

    def result(self, gap: Fraction) -> Budgeted:
        """Return the best so far, in the nodes of the topology."""
        chosen = np.zeros(self._part.size, np.bool_)
        chosen[self._part] = self._best
        optimal = self._value == self._bound
        return Budgeted(
            self._topology.spread(chosen),
            Fraction(self._value, self._scale),
            self._task.spent(self._best),
            Fraction(self._bound, self._scale),
            float(self.gap()),
            "optimal" if optimal else "gap" if self.gap() <= gap else "time_limit",
        )

    def fill(self) -> None:
        """Fill what the frontier's selection leaves."""
        self._take(fill_greedily(self._task, self._base, self._step))

    def perturb(self, retrace: Retrace, everywhere: bool, enough: Fraction, until: float) -> None:
        """Try frontiers of values disturbed by noise: of what the first step that does not fit would add, or of all."""
        scope = np.ones(self._step.size, np.bool_) if everywhere else self._step == self._next_step
        kept = self._base & ~scope
        layers = self._task.layers.kept(scope)
        topology = Topology(layers.size, np.arange(layers.size), layers)
        left = self._task.budget - self._task.spent(kept)
        for seed in range(_TRIES):
            if self.gap() <= enough or perf_counter() > until:
                return
            values = perturb(self._worth[scope], layers, seed)
            step = retrace(values, self._task.cost[scope], topology).step
            chosen = kept.copy()
            chosen[scope] = _fitting(step, self._task.cost[scope], left)[0]
            self._take(fill_greedily(self._task, chosen, self._step))

    def search_neighbourhoods(self, enough: Fraction, until: float) -> None:
        """Give up some of the best so far for what fits then, again and again."""

        def go_on(found: Members) -> bool:
            self._take(found)
            return self.gap() > enough and perf_counter() < until

        self._take(search_neighbourhoods(self._task, self._best, go_on))

    def solve_rest(self, gap: Fraction) -> None:
        """Peg what no better selection changes, and let HiGHS solve the rest."""
        inside, outside = fix_variables(self._task, self._base, self._multiplier, self._value)
        rest = ~(inside | outside)
        left = self._task.budget - self._task.spent(inside)
        if left < 0 or (inside & outside).any():
            self._bound = self._value
            return
        seconds = self._end - perf_counter()
        if seconds < _START * int(rest.sum()):
            return
        fixed = int(self._task.gain[inside].sum())
        part = Knapsack(self._task.layers.kept(rest), self._task.gain[rest], self._task.cost[rest], left)
        consistent = not (inside & ~self._best).any() and not (outside & self._best).any()
        warm = self._best[rest] if consistent else None
        slack = max(0.99, float(gap * self._bound) * 0.99)
        found = milp.solve(part, warm, _KEPT * seconds, slack)
        if found.chosen is not None:
            chosen = inside.copy()
            chosen[rest] = found.chosen
            if self._task.holds(chosen):
                self._take(chosen)
        self._bound = max(self._value, min(self._bound, found.bound + fixed))

    def _take(self, chosen: Members) -> None:
        worth = self._task.worth(chosen)
        if worth > self._value:
            self._best, self._value = chosen, worth

    def _per_group(self, figures: NDArray[np.int64]) -> Ints:
        return self._topology.gathered(figures)[self._part].astype(np.int64)

    def _steps_per_group(self, traced: Frontier) -> Ints:
        steps = np.empty(self._part.size, np.int64)
        steps[self._topology.group] = traced.step
        return steps[self._part]


def _fitting(step: Ints, cost: Ints, budget: int) -> tuple[Members, int | None]:
    """Return the largest selection of a frontier that fits, and the step that does not; None where all fit."""
    spent = np.cumsum(np.bincount(step + 1, cost))
    fits = int(np.searchsorted(spent, budget, "right"))
    return step + 1 < fits, fits - 1 if fits < spent.size else None
