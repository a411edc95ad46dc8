"""Computes the maximum-weight closure of a graph of needs by one exact min-cut (paper section 2.4).

This is the only module that imports igraph.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from time import perf_counter
from typing import Any, Literal

import numpy as np
from igraph import GraphBase
from numpy.typing import NDArray

from ..errors import BadInput
from .budget import Budgeted, solve_within_budget
from .frontier import Cutters
from .frontier_result import Frontier, trace
from .numba_cut import compiled
from .reduction import Cutter, cut, reduced_closure
from .topology import Topology
from .validate import (
    FIGURE_LIMIT,
    PROFIT_LIMIT,
    check_figures,
    check_forbidden,
    check_limits,
    check_pairs,
    check_profit,
    check_scaled,
    check_tie,
)

__all__ = [
    "FIGURE_LIMIT",
    "PROFIT_LIMIT",
    "Budgeted",
    "Frontier",
    "Topology",
    "enable_fast",
    "frontier",
    "maximum_closure",
    "within_budget",
]

_CAPACITY_LIMIT = 2**53

DIRECTLY = {False: 1500, True: 50_000}
"""A graph of so many nodes or fewer is cut as it is, by igraph, or compiled: preparing it costs more (measured)."""


_fast = False


def enable_fast(wanted: bool = True) -> bool:
    """Cut with compiled push-relabel instead of igraph from now on, in this process; or not, for `wanted` False.

    Returns what was wanted before. Takes seconds the first time. The results are the same.
    Raises `BadInput` without the extra `fast`.
    """
    global _fast
    if wanted:
        try:
            compiled()
        except ImportError as missing:
            raise BadInput("the compiled cutter needs numba: install memorepair-graphdb[fast]") from missing
    before, _fast = _fast, wanted
    return before


def maximum_closure(
    profit: NDArray[np.int64],
    requires: NDArray[np.int64] | Topology,
    forbidden: NDArray[np.bool_] | None = None,
    tie: Literal["smallest", "largest"] = "smallest",
    observe: Callable[[int], None] | None = None,
) -> NDArray[np.bool_]:
    """Choose the nodes that maximise Σ profit, where whoever is chosen has all it needs.

    `profit` is int64[n], positive or negative; `requires` int64[m, 2], each row (i, j) once: "i needs j", cycles
    allowed, or the `Topology` made of them, which serves any number of calls; `forbidden` bool[n]: never chosen, nor
    what needs them. Of all optima, `tie` names the smallest or the largest set; both exist and are unique, as the
    optima are closed under union and intersection. `observe` is told how many nodes were left to the max-flow; not at
    all where the reductions left none. Returns bool[n].

    Raises `BadInput` for another dtype or shape, a node out of range, a self-loop, a duplicate row, or Σ|p| ≥ 2^51.
    """
    check_profit(profit)
    check_forbidden(forbidden, profit.size)
    check_tie(tie)
    largest = tie == "largest"
    cutter = _cut if observe is None else _observe(observe)
    if (
        isinstance(requires, np.ndarray)
        and profit.size <= DIRECTLY[_fast]
        and (forbidden is None or not forbidden.any())
    ):
        check_pairs(requires, profit.size, "requires")
        return cut(profit, requires, cutter, largest)
    topology = Topology.given(requires, profit.size)
    gathered = topology.gathered(profit, forbidden)
    return topology.spread(reduced_closure(gathered, topology.layers, cutter, largest, DIRECTLY[_fast]))


def frontier(
    value: NDArray[np.int64],
    cost: NDArray[np.int64],
    requires: NDArray[np.int64] | Topology,
    forbidden: NDArray[np.bool_] | None = None,
) -> Frontier:
    """Find the optimal closures of Σw − λΣc for every λ ≥ 0: for each candidate the largest λ at which it is chosen.

    `value` and `cost` are int64[n], ≥ 0; the rest is as for `maximum_closure`, with which `.at(λ)` agrees, both ties.

    Raises `BadInput` as `maximum_closure` does, for a negative figure, and for Σw ≥ 2^49 or Σc ≥ 2^49.
    """
    check_figures(value, cost)
    check_forbidden(forbidden, value.size)
    return trace(value, cost, Topology.given(requires, value.size), forbidden, Cutters(_cut, _flow, DIRECTLY[_fast]))


def within_budget(
    value: NDArray[np.int64],
    cost: NDArray[np.int64],
    requires: NDArray[np.int64] | Topology,
    budget: int,
    forbidden: NDArray[np.bool_] | None = None,
    gap: float = 1e-4,
    time_limit: float = 10.0,
    *,
    tradeoff: Fraction | int = 0,
) -> Budgeted:
    """Choose a closure with Σc ≤ `budget` that maximises Σw − λΣc, λ being `tradeoff`, and bound what the best can be.

    Stops when (bound − value) / bound is `gap` or less; 0 asks for the optimum. After about `time_limit` seconds it
    returns the best found, with its bound. The rest is as for `frontier`.

    Raises `BadInput` as `frontier` does, for a negative budget, gap, time limit or λ, and where
    Σ|den·w − num·c| ≥ 2^51 for λ = num/den.
    """
    check_limits(budget, gap, time_limit)
    end = perf_counter() + time_limit
    traced = frontier(value, cost, topology := Topology.given(requires, value.size), forbidden)
    check_scaled(value, cost, tradeoff)

    def retrace(values: NDArray[np.int64], costs: NDArray[np.int64], part: Topology) -> Frontier:
        return trace(values, costs, part, None, Cutters(_cut, _flow, DIRECTLY[_fast]))

    return solve_within_budget(
        traced, topology, retrace, Fraction(tradeoff), budget, Fraction(gap), max(0.0, end - perf_counter())
    )


def _observe(observe: Callable[[int], None]) -> Cutter:
    def cutter(profit: NDArray[np.int64], requires: NDArray[np.int64]) -> NDArray[np.bool_]:
        observe(profit.size)
        return _cut(profit, requires)

    return cutter


def _cut(profit: NDArray[np.int64], requires: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the maximal optimal closure, by the cutter that was asked for."""
    return compiled()(profit, requires) if _fast else _largest(profit, requires)


def _largest(profit: NDArray[np.int64], requires: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the maximal optimal closure: the source's side of the min-cut that lies nearest the sink."""
    if not profit.size:
        return np.zeros(0, dtype=np.bool_)
    source, sink = profit.size, profit.size + 1
    gains, losses = np.flatnonzero(profit > 0), np.flatnonzero(profit < 0)
    endless = 1 + int(profit[gains].sum())
    tails = np.concatenate([requires[:, 0], np.full(gains.size, source), losses])
    heads = np.concatenate([requires[:, 1], gains, np.full(losses.size, sink)])
    capacity = np.concatenate([np.full(len(requires), endless), profit[gains], -profit[losses]])
    found = _graph(profit.size + 2, tails, heads).st_mincut(source, sink, _as_capacities(capacity))
    _value, _edges, near_source, _near_sink = found  # in this order, whatever its docstring says
    chosen = np.zeros(profit.size + 2, dtype=np.bool_)
    chosen[np.asarray(near_source, dtype=np.int64)] = True
    return chosen[: profit.size]


def _flow(
    size: int, tails: NDArray[np.int64], heads: NDArray[np.int64], capacity: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return a maximum flow from node `size` - 2 to the last, on each arc.

    The second value is the source's side of the cut nearest the sink.
    """
    _value, flow, _cut, near = _graph(size, tails, heads).maxflow(size - 2, size - 1, _as_capacities(capacity))
    near_source = np.zeros(size, dtype=np.bool_)
    near_source[np.asarray(near, dtype=np.int64)] = True
    return np.asarray(flow, dtype=np.float64).astype(np.int64), near_source


def _graph(size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]) -> Any:
    return GraphBase(size, zip(tails.tolist(), heads.tolist(), strict=True), True)


def _as_capacities(capacity: NDArray[np.int64]) -> list[float]:
    """Return a list of Python floats: igraph reads any other type of number silently as 1.0."""
    doubles = capacity.astype(np.float64)
    exact = np.isfinite(doubles) & (doubles == np.trunc(doubles)) & (doubles >= 0) & (doubles < _CAPACITY_LIMIT)
    if not exact.all():
        raise BadInput("a capacity is not an integer that a double holds exactly")
    listed: list[float] = doubles.tolist()
    return listed
