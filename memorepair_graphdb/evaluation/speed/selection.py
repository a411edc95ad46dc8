"""Measures `memorepair bench selection`: closure, frontier and budget, against the best solvers installed.

No server; all sides solve the same arrays in turn, in one process, and every value is compared before a time is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...solver.closure import Topology, maximum_closure
from .budgets import measure_budget
from .comparison import OURS, Solver, duel
from .frontiers import measure_frontier
from .networks import GENERATORS
from .peak_memory import peak_mib
from .problem import SelectionProblem
from .reference_solvers import Peer, installed

Ints = NDArray[np.int64]
Solve = Callable[[Ints], NDArray[np.bool_]]

LAMBDAS = 50
SEED = 1
_SPREAD = 6
"""The λ of a sweep go from the usual one divided by this to the usual one times this."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, and where."""

    work: Callable[[SelectionProblem], dict[str, Any]]
    usual: Mapping[str, tuple[int, ...]]
    """instance → sizes, where none are asked for"""


def run(*, sizes: Sequence[int] = (), pairs: int = 5, tell: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """Yield results of all measures, each on its usual sizes, or on the given ones.

    Each has `measure`, `instance` and `size`; times are medians of `pairs` rounds. Raises `BadInput` for a size below
    100, `RuntimeError` when values differ.
    """
    rivals = installed()
    for name, measure in MEASURES.items():
        for instance, usual in measure.usual.items():
            for size in sizes or usual:
                tell(f"{name}: {instance}, {size} candidates")
                task = SelectionProblem(instance, GENERATORS[instance](size, SEED), rivals, pairs)
                yield {"measure": name, "instance": instance, "size": size, **measure.work(task)}


def _cut(task: SelectionProblem) -> dict[str, Any]:
    """Measure one closure from the bare arrays."""
    requires, profit = task.network.requires, task.profit(task.tradeoff)
    peers, slow = task.split_rivals()
    sides: dict[str, Solver] = {OURS: lambda: _values(partial(maximum_closure, requires=requires), [profit])}
    sides |= {peer.name: partial(_theirs, peer, requires, [profit]) for peer in peers}
    selected = int(maximum_closure(profit, requires).sum())
    about = {"needs": len(requires), "tradeoff": str(task.tradeoff), "selected": selected}
    return {**about, **duel(sides, task.rounds), "left_out": slow}


def _sweep(task: SelectionProblem) -> dict[str, Any]:
    """Measure many λ on one network, which each side may prepare once; preparing counts."""
    requires, size = task.network.requires, task.network.value.size
    profits = [task.profit(at) for at in sweep_tradeoffs(task.tradeoff)]

    def ours() -> list[int]:
        return _values(partial(maximum_closure, requires=Topology.of(size, requires)), profits)

    peers, slow = task.split_rivals()
    sides: dict[str, Solver] = {OURS: ours}
    sides |= {peer.name: partial(_theirs, peer, requires, profits) for peer in peers if peer.repeats}
    slow |= {peer.name: "too slow for many λ" for peer in peers if not peer.repeats}
    return {"tradeoffs": LAMBDAS, **duel(sides, task.rounds), "left_out": slow}


def _theirs(peer: Peer, requires: Ints, profits: Sequence[Ints]) -> list[int]:
    return _values(peer.prepared(requires), profits)


def _values(solve: Solve, profits: Sequence[Ints]) -> list[int]:
    return [int(profit[solve(profit)].sum()) for profit in profits]


def sweep_tradeoffs(middle: Fraction) -> list[Fraction]:
    """Return `LAMBDAS` different λ around the middle one, in even ratios."""
    factors = np.geomspace(1 / _SPREAD, _SPREAD, LAMBDAS).tolist()
    return [(middle * Fraction(factor)).limit_denominator(100_000) for factor in factors]


def _peak(task: SelectionProblem) -> dict[str, Any]:
    """Measure the memory of one cut above the inputs."""
    return {"peak_mib": peak_mib(task.profit(task.tradeoff), task.network.requires)}


MEASURES = {
    "cut": Measure(
        _cut,
        {
            "provenance": (1_000, 10_000, 100_000, 1_000_000),
            "deep": (100_000,),
            "hard": (100_000,),
            "layer": (100_000,),
            "pit": (100_000,),
        },
    ),
    "sweep": Measure(_sweep, {"provenance": (100_000,)}),
    "frontier": Measure(measure_frontier, {"provenance": (10_000, 100_000, 1_000_000), "hard": (1_000,)}),
    "budget": Measure(measure_budget, {"provenance": (10_000, 100_000), "hard": (1_000,)}),
    "peak": Measure(_peak, {"provenance": (1_000_000,)}),
}
"""name → what the selection is measured by"""
