"""The candidates of a cascade: for each affected descendant its mode, operator, predecessors P, value and cost.

The law of the room: a fate is fixed in topological order and never revised; no selection, no effects, no recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ..errors import BadInput
from ..model.cascade import Affected, Cascade, Influence
from ..model.event import EventType
from ..model.outcome import Mode, Standing
from ..model.plan import Removed
from ..operators.registry import Operator, Registry
from .closure import on_cycle
from .rules import Fate, barred, barred_at_once, judged_by_sources, mode_of, removed, removed_at_once

Estimate = Callable[[Affected, tuple[Influence, ...], Operator], float]
"""What a repair of the artifact from these sources would cost, in tokens."""


class Judged(NamedTuple):
    """A candidate before the selection."""

    artifact: Affected
    fate: Fate
    predecessors: tuple[tuple[str, str], ...]
    """(key, id) of P, sorted"""
    value: float
    cost: float
    level: int
    """0 where P is empty, else one more than the highest in P"""


class Candidates(NamedTuple):
    """Every affected artifact but the replaced roots, once: as a candidate or as removed."""

    candidates: tuple[Judged, ...]
    """D⁺, sorted by level, then key"""
    removed: tuple[Removed, ...]
    """deleted roots, and descendants of mode `remove`; sorted by key"""


def candidates(
    cascade: Cascade,
    *,
    replaced: frozenset[str],
    operators: Registry,
    estimate: Estimate,
    embeddable: bool,
    refused: Mapping[str, str] = MappingProxyType({}),
) -> Candidates:
    """Judge every affected artifact (paper section 2.3).

    `replaced` are ids of the roots that have a replacement in service; `embeddable` says whether a successor of an
    embedded artifact can do with what there is: an embedder, or leave to go without. `estimate` is asked for artifacts
    with a known operator and no cost of their own; `refused` says, by id, why an operator refuses an artifact. Raises
    `BadInput`, naming the key, for a value or cost that is negative or not finite, and for a cascade that contradicts
    itself.
    """
    scope = _Scope.of(cascade)
    found = {name: operators.find(name) for name in {artifact.operator for artifact in cascade.affected}}
    fates = _fates(cascade, scope, found, replaced, refused, embeddable=embeddable)
    levels = _levels(fates)
    gone = [_removed_root(a, cascade.type) for a in cascade.affected if a.root and a.id not in replaced]
    judged = []
    for id_, fate in fates.items():
        artifact = scope.artifacts[id_]
        if fate.mode is Mode.REMOVE:
            gone.append(Removed(key=artifact.key, reason=fate.reason, id=id_))
            continue
        cost = _cost(artifact, scope.edges[id_], found[artifact.operator], estimate)
        judged.append(_judged(artifact, fate, scope.artifacts, cost, levels[id_]))
    judged.sort(key=lambda candidate: (candidate.level, candidate.artifact.key, candidate.artifact.id))
    gone.sort(key=lambda artifact: (artifact.key, artifact.id))
    return Candidates(tuple(judged), tuple(gone))


@dataclass(frozen=True, slots=True)
class _Scope:
    """The cascade by id, checked."""

    artifacts: dict[str, Affected]
    edges: dict[str, tuple[Influence, ...]]
    """incoming edges of every affected artifact that is no root, in one certain order"""
    sources: dict[str, list[str]]
    """ids of the affected sources of each, once an edge"""

    @classmethod
    def of(cls, cascade: Cascade) -> _Scope:
        artifacts = {artifact.id: artifact for artifact in cascade.affected}
        if len(artifacts) != len(cascade.affected):
            raise BadInput("the cascade names an artifact twice")
        gathered: dict[str, list[Influence]] = {a.id: [] for a in cascade.affected if not a.root}
        sources: dict[str, list[str]] = {id_: [] for id_ in gathered}
        for edge in cascade.influences:
            if edge.target not in gathered:
                raise BadInput(f"the cascade has an edge from {edge.source_key} into what is no affected descendant")
            gathered[edge.target].append(edge)
            if edge.standing is Standing.AFFECTED:
                if edge.source not in gathered:
                    raise BadInput(f"{edge.source_key} stands as affected, and is no affected descendant")
                sources[edge.target].append(edge.source)
        edges = {id_: tuple(sorted(gathered[id_], key=_place)) for id_ in gathered}
        return cls(artifacts, edges, sources)


def _place(edge: Influence) -> tuple[str, str, str, str]:
    return edge.source_key, edge.source, edge.role or "", str(edge.required)


def _fates(
    cascade: Cascade,
    scope: _Scope,
    found: Mapping[str | None, Operator | None],
    replaced: frozenset[str],
    refused: Mapping[str, str],
    *,
    embeddable: bool,
) -> dict[str, Fate]:
    """The fate of every affected artifact that is no root, by id."""
    migrated = cascade.type is EventType.MIGRATE
    retired = frozenset(cascade.roots) - replaced if migrated else frozenset()
    cyclic = _cyclic(scope)
    fates: dict[str, Fate] = {}
    for id_, edges in scope.edges.items():
        artifact = scope.artifacts[id_]
        operator = found[artifact.operator]
        fate = removed_at_once(artifact, edges, operator, retired)
        if fate is None and id_ in refused:
            fate = removed(refused[id_])
        fate = fate or barred_at_once(artifact, operator, embeddable=embeddable)
        if fate is None and id_ in cyclic:
            fate = barred(mode_of(artifact.kind, artifact.arch), "it lies on a cycle of influence")
        if fate is not None:
            fates[id_] = fate
    for id_ in _in_order(scope, fates):
        artifact = scope.artifacts[id_]
        operator = found[artifact.operator]
        if operator is not None:
            fates[id_] = judged_by_sources(artifact, scope.edges[id_], operator, fates)
    return fates


def _cyclic(scope: _Scope) -> frozenset[str]:
    """Ids of the artifacts on a cycle of influence, over all affected edges, those of removed artifacts too."""
    ids = list(scope.edges)
    number = {id_: position for position, id_ in enumerate(ids)}
    rows = [(number[source], number[id_]) for id_, sources in scope.sources.items() for source in sources]
    marks = on_cycle(len(ids), np.array(rows, dtype=np.int64).reshape(-1, 2))
    return frozenset(ids[position] for position in np.flatnonzero(marks).tolist())


def _in_order(scope: _Scope, fates: Mapping[str, Fate]) -> Iterable[str]:
    """The artifacts without a fate, sources first; there is no cycle among them (those on one have theirs)."""
    waits: dict[str, int] = {}
    dependents: dict[str, list[str]] = {}
    for id_, sources in scope.sources.items():
        if id_ not in fates:
            open_sources = [source for source in sources if source not in fates]
            waits[id_] = len(open_sources)
            for source in open_sources:
                dependents.setdefault(source, []).append(id_)
    order = [id_ for id_, count in waits.items() if not count]
    for id_ in order:  # it grows while we walk it
        for dependent in dependents.get(id_, ()):
            waits[dependent] -= 1
            if not waits[dependent]:
                order.append(dependent)
    return order


def _levels(fates: Mapping[str, Fate]) -> dict[str, int]:
    """0 where P is empty, else one more than the highest in P; `fates` holds sources before their dependents."""
    levels: dict[str, int] = {}
    for id_, fate in fates.items():
        levels[id_] = 1 + max((levels[source] for source in fate.predecessors), default=-1)
    return levels


def _removed_root(artifact: Affected, type_: EventType) -> Removed:
    if type_ is EventType.CORRECT:
        raise BadInput(f"{artifact.key} is corrected, and has no replacement")
    reason = "its deletion was asked for" if type_ is EventType.DELETE else "its contract was retired"
    return Removed(key=artifact.key, reason=reason, id=artifact.id)


def _judged(artifact: Affected, fate: Fate, artifacts: Mapping[str, Affected], cost: float, level: int) -> Judged:
    value = _figure(1.0 if artifact.value is None else artifact.value, "value", artifact.key)
    predecessors = tuple(sorted((artifacts[id_].key, id_) for id_ in fate.predecessors))
    return Judged(artifact, fate, predecessors, value, _figure(cost, "cost", artifact.key), level)


def _cost(artifact: Affected, edges: tuple[Influence, ...], operator: Operator | None, estimate: Estimate) -> float:
    """Its own, else the operator's estimate, else 1: what is not executable counts in the mean too."""
    if artifact.cost is not None:
        return artifact.cost
    return 1.0 if operator is None else estimate(artifact, edges, operator)


def _figure(number: float, name: str, key: str) -> float:
    if not (isfinite(number) and number >= 0):
        raise BadInput(f"{key}: its {name} is {number!r}; a {name} is finite and 0 or more")
    return float(number)
