"""Makes the candidates of a cascade: for each affected descendant its mode, predecessors P, value and cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import BadInput
from ...model.cascade import Affected, Cascade, Influence, Ints, Rows
from ...model.plan import Lists, Removed
from ...model.vocabulary import EventType, Mode
from ...operators.protocol.registry import Operator, Registry
from ...solver.topology import Topology
from .eligibility import EligibilityColumns, Scope, judge_descendants
from .modes import Eligibility, mode_of
from .rules import RULES, Rule

Estimate = Callable[[Affected, tuple[Influence, ...], Operator], float]
"""What a repair of the artifact from these sources would cost, in tokens."""


@dataclass(frozen=True, slots=True, eq=False)
class CandidateColumns:
    """The candidates of a cascade, D⁺, in columns, before the selection; by level, then key."""

    index: Ints
    """int64[n], indices among the descendants of the cascade"""
    mode: list[Mode]
    executable: NDArray[np.bool_]
    reason: list[str]
    """why it is not executable; empty where it is"""
    value: NDArray[np.float64]
    cost: NDArray[np.float64]
    level: Ints
    """0 where P is empty, else one more than the highest in P"""
    needs: Ints
    """int64[m, 2], rows (i, j): candidate j is in P of candidate i; by i, then the key of j"""
    topology: Topology
    """of `needs`"""
    supports: Lists[str]
    """ids of the sources in service that it will consume; empty unless executable"""


class JudgedCascade(NamedTuple):
    """Every affected artifact but the replaced roots, once: as a candidate or as removed."""

    candidates: CandidateColumns
    removed: tuple[Removed, ...]
    """deleted roots, and descendants of mode `remove`; sorted by key"""


def judge_candidates(
    cascade: Cascade,
    *,
    replaced: frozenset[str],
    operators: Registry,
    estimate: Estimate,
    embeddable: bool,
    objections: Mapping[str, Eligibility] = MappingProxyType({}),
    rules: tuple[Rule, ...] = RULES,
) -> JudgedCascade:
    """Judge every affected artifact (paper section 2.3).

    `replaced` are ids of the roots that have a replacement in service; `embeddable` says whether a successor of an
    embedded artifact can do with what there is: an embedder, or leave to go without. `estimate` is asked for artifacts
    with a known operator and no cost of their own; `objections` has, by id, what was found against an artifact
    beforehand. Raises `BadInput`, naming the key, for a value or cost that is negative or not finite, or a correction
    without one.
    """
    by_name = {form.operator: operators.find(form.operator) for form in cascade.descendants.forms}
    scope = Scope(cascade, by_name, replaced, objections, embeddable, rules)
    eligibility = judge_descendants(scope)
    gone = [_removed_root(key, id_, cascade.type) for key, id_ in cascade.roots if id_ not in replaced]
    dropped = {index: judged for index, judged in eligibility.hindered.items() if judged.mode is Mode.REMOVE}
    gone += [_removed(cascade, index, judged) for index, judged in dropped.items()]
    gone.sort(key=lambda artifact: (artifact.key, artifact.id))
    return JudgedCascade(_in_columns(scope, eligibility, dropped, estimate), tuple(gone))


def _in_columns(
    scope: Scope, eligibility: EligibilityColumns, dropped: Mapping[int, Eligibility], estimate: Estimate
) -> CandidateColumns:
    all_ = scope.cascade.descendants
    remaining = np.ones(len(all_.ids), np.bool_)
    remaining[list(dropped)] = False
    number = np.cumsum(remaining) - 1
    topology = Topology.of(
        int(remaining.sum()), np.stack([number[eligibility.needs.own], number[eligibility.needs.other]], axis=1)
    )
    level = topology.layers.level[topology.group]
    order = np.argsort(level, kind="stable")
    index = np.flatnonzero(remaining)[order]
    seat = np.full(remaining.size, -1)
    seat[index] = np.arange(index.size)
    barred = {
        seat[at]: judged.reason
        for at, judged in eligibility.hindered.items()
        if not judged.executable and remaining[at]
    }
    modes = [mode_of(form.kind, form.arch) for form in all_.forms]
    executable = np.ones(index.size, np.bool_)
    executable[list(barred)] = False
    by_key = np.argsort(seat[eligibility.needs.own], kind="stable")
    supports = np.argsort(seat[eligibility.supports.own], kind="stable")
    return CandidateColumns(
        index=index,
        mode=[modes[form] for form in all_.form[index].tolist()],
        executable=executable,
        reason=[barred.get(row, "") for row in range(index.size)] if barred else [""] * index.size,
        value=_check_figures(scope.cascade, index, _values(scope.cascade), "value"),
        cost=_check_figures(scope.cascade, index, _costs(scope, index, estimate), "cost"),
        level=level[order],
        needs=seat[np.stack([eligibility.needs.own[by_key], eligibility.needs.other[by_key]], axis=1)],
        topology=replace(topology, group=topology.group[order]),
        supports=Lists.of(
            index.size,
            seat[eligibility.supports.own[supports]],
            [eligibility.sources[source] for source in eligibility.supports.other[supports].tolist()],
        ),
    )


def _removed_root(key: str, id_: str, type_: EventType) -> Removed:
    if not type_.meaning.may_retire_roots:
        raise BadInput(f"{key} is corrected, and has no replacement")
    return Removed(key=key, reason=type_.meaning.retirement, id=id_)


def _removed(cascade: Cascade, index: int, judged: Eligibility) -> Removed:
    return Removed(key=cascade.descendants.keys[index], reason=judged.reason, id=cascade.descendants.ids[index])


def _values(cascade: Cascade) -> list[float]:
    return [1.0 if value is None else value for value in cascade.descendants.value]


def _costs(scope: Scope, indices: Ints, estimate: Estimate) -> list[float]:
    """Its own, else the operator's estimate, else 1: what is not executable counts in the mean too."""
    own_costs = scope.cascade.descendants.cost
    costs = [1.0 if cost is None else cost for cost in own_costs]
    without_cost = [index for index in indices.tolist() if own_costs[index] is None]
    return costs if not without_cost else _with_estimates(scope, costs, without_cost, estimate)


def _with_estimates(scope: Scope, costs: list[float], without_cost: list[int], estimate: Estimate) -> list[float]:
    rows = Rows(scope.cascade)
    for index in without_cost:
        if (operator := scope.operator(index)) is not None:
            costs[index] = estimate(rows.artifact(index), rows.edges(index), operator)
    return costs


def _check_figures(cascade: Cascade, indices: Ints, figures: list[float], name: str) -> NDArray[np.float64]:
    column = np.array(figures, np.float64)[indices]
    for row in np.flatnonzero(~(np.isfinite(column) & (column >= 0)))[:1].tolist():
        key = cascade.descendants.keys[indices[row]]
        raise BadInput(f"{key}: its {name} is {figures[indices[row]]!r}; a {name} is finite and 0 or more")
    return column
