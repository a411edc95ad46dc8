"""Judges an affected artifact by what became of its sources (paper section 2.3; design, section 6).

All are pure functions of one artifact, its incoming edges, and the eligibility of its sources.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...model.artifact import Required
from ...model.cascade import Affected, Influence
from ...model.vocabulary import Mode, Standing, SupportNeed
from ...operators.protocol.registry import Operator
from .modes import Eligibility, barred, mode_of, removed

IN_SERVICE = frozenset({Standing.RETAINED, Standing.REPLACED})
"""How a source stands that an operator can consume as it is."""

_NAMED = 3
"""How many keys a reason lists before it counts the rest."""


def judge_by_sources(
    artifact: Affected, edges: Sequence[Influence], operator: Operator, eligibility: Mapping[str, Eligibility]
) -> Eligibility:
    """Judge an artifact by what its sources became: `eligibility` holds, by id, every source that stands affected."""
    mode = mode_of(artifact.kind, artifact.arch)
    predecessors: set[str] = set()
    for edge in edges:
        need = need_of(edge, operator)
        if need == "any" or edge.standing in IN_SERVICE:
            continue
        if _can_come(edge, eligibility):
            predecessors.add(edge.source)
        elif need:
            obstacle, behind = _obstacle(edge, eligibility)
            return barred(mode, f"needs {obstacle}{behind}", f"it needs {obstacle}")
    for role, members in groups(edges).items():
        if any(edge.standing in IN_SERVICE for edge in members):
            continue
        coming = {edge.source for edge in members if _can_come(edge, eligibility)}
        if not coming:
            obstacle, behind = _obstacle(members[0], eligibility)
            wanted = f"one of its sources{name_role(role)} ({name_sources(members)}) and none can come"
            return barred(mode, f"needs {wanted}, such as {obstacle}{behind}", f"it needs {wanted}")
        predecessors |= coming
    supports = {edge.source for edge in edges if edge.standing in IN_SERVICE}
    if predecessors or supports:
        return Eligibility(mode, True, predecessors=tuple(predecessors), supports=tuple(sorted(supports)))
    return _nothing_left(mode, edges, eligibility)


def need_of(edge: Influence, operator: Operator | None) -> Required:
    """Return True, False or "any": what the edge says, else what the operator declares.

    Of an operator that is not known here nobody can say that it needs a source: what it made is not given up for that.
    """
    if edge.required is not None:
        return edge.required
    return operator is not None and operator.support is SupportNeed.ALL


def groups(edges: Iterable[Influence]) -> dict[str | None, list[Influence]]:
    """Group the `any` edges by role: of each group at least one is needed."""
    by_role: dict[str | None, list[Influence]] = {}
    for edge in edges:
        if edge.required == "any":
            by_role.setdefault(edge.role, []).append(edge)
    return by_role


def _can_come(edge: Influence, eligibility: Mapping[str, Eligibility]) -> bool:
    return edge.standing is Standing.AFFECTED and eligibility[edge.source].executable


def _obstacle(edge: Influence, eligibility: Mapping[str, Eligibility]) -> tuple[str, str]:
    """Why a source will not come, and what lies behind that: one step, so that a reason stays short in a long chain."""
    if edge.standing is not Standing.AFFECTED:
        stands = "is held by another event" if edge.standing is Standing.ELSEWHERE else "was deleted"
        return f"{edge.source_key}, which {stands}", ""
    source = eligibility[edge.source]
    state = "is removed" if source.mode is Mode.REMOVE else "is not executable"
    return f"{edge.source_key}, which {state}", f": {source.cause}"


def _nothing_left(mode: Mode, edges: Sequence[Influence], eligibility: Mapping[str, Eligibility]) -> Eligibility:
    """No support and no predecessor is left to consume: removed if none can return, else not executable."""
    dead = {
        edge for edge in edges if edge.standing is Standing.AFFECTED and eligibility[edge.source].mode is Mode.REMOVE
    }
    for edge in edges:
        if edge not in dead and edge.standing is not Standing.DELETED:
            obstacle, behind = _obstacle(edge, eligibility)
            return barred(mode, f"nothing is left to make it from: {obstacle}{behind}", f"it rests on {obstacle}")
    obstacle, behind = _obstacle(next(edge for edge in edges if edge in dead), eligibility)
    return removed(f"all its sources are gone, such as {obstacle}{behind}", f"it rests on {obstacle}")


def name_sources(edges: Iterable[Influence]) -> str:
    """Return the keys of the first sources, and how many more there are."""
    keys = sorted({edge.source_key for edge in edges})
    more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
    return ", ".join(keys[:_NAMED]) + more


def name_role(role: str | None) -> str:
    """Return how a reason names a role; empty where there is none."""
    return "" if role is None else f" of role {role}"
