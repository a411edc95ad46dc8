"""What can be made of one affected artifact, judged from how its sources stand (paper section 2.3; design, section 6).

The law of the room: pure functions of one artifact, its incoming edges, and the fates of its sources.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...model.artifact import Arch, Kind, Required
from ...model.cascade import Affected, Influence
from ...model.vocabulary import Mode, Standing, SupportNeed
from ...operators.protocol.registry import Operator

IN_SERVICE = frozenset({Standing.RETAINED, Standing.REPLACED})
"""How a source stands that an operator can consume as it is."""

_NAMED = 3
"""How many keys a reason lists before it counts the rest."""


class Eligibility(NamedTuple):
    """What becomes of an affected artifact that is no root."""

    mode: Mode
    executable: bool
    reason: str = ""
    """why it is removed or not executable, for a person"""
    cause: str = ""
    """the reason without what lies behind it: what a dependent quotes"""
    predecessors: tuple[str, ...] = ()
    """ids of P; empty unless executable"""
    supports: tuple[str, ...] = ()
    """ids of the sources in service that it consumes; empty unless executable"""


def mode_of(kind: Kind, arch: Arch | None) -> Mode:
    """The mode map μ; a derived record is never rewritten."""
    match kind, arch:
        case Kind.CACHE, _:
            return Mode.RECOMPUTE
        case Kind.RECORD, _:
            return Mode.REMOVE
        case Kind.SKILL, Arch.NEURAL:
            return Mode.PARAM
        case _:
            return Mode.REGEN


def removed_at_once(
    artifact: Affected, edges: Sequence[Influence], operator: Operator | None, retired: frozenset[str]
) -> Eligibility | None:
    """The fate of an artifact that gets no successor whatever becomes of its sources; None for any other.

    `retired` are ids of contracts that this event retired, so that the reason says so.
    """
    if artifact.kind is Kind.RECORD:
        return removed("it is a derived record, which is never rewritten")
    if artifact.operator is None:
        return removed("it names no operator that could make it again")
    for edge in edges:
        if edge.standing is Standing.DELETED and need_of(edge, operator) is True:
            return removed(f"its source {edge.source_key} was {'retired' if edge.source in retired else 'deleted'}")
    if all(edge.standing is Standing.DELETED for edge in edges):
        return removed(f"all its sources are gone: {_sources(edges)}" if edges else "it has no source left")
    for role, members in groups(edges).items():
        if all(edge.standing is Standing.DELETED for edge in members):
            return removed(f"all its sources{_of_role(role)} are gone: {_sources(members)}")
    if artifact.arch is Arch.NEURAL and not any(edge.standing is Standing.RETAINED for edge in edges):
        return removed("it is a neural skill, and no source of it is retained that it could cite")
    return None


def barred_at_once(
    artifact: Affected, operator: Operator | None, *, embeddable: bool, retracts: bool = False
) -> Eligibility | None:
    """The fate of an artifact that cannot be repaired here whatever becomes of its sources; None for any other.

    `retracts` says whether the event takes texts back: what it affects rests on them, and so may its own content.
    """
    mode = mode_of(artifact.kind, artifact.arch)
    if operator is None:
        return barred(mode, f"its operator {artifact.operator} is not registered here")
    kind = f"{artifact.arch} {artifact.kind}" if artifact.arch else artifact.kind
    if operator.mode is not mode:
        return barred(mode, f"its operator {operator.name} does {operator.mode}, and a {kind} needs {mode}")
    if not operator.suits(artifact.kind, artifact.arch):
        return barred(
            mode, f"its operator {operator.name} is made for {', '.join(operator.kinds)}, and this is a {kind}"
        )
    if operator.lacks:
        return barred(mode, f"its operator {operator.name} {operator.lacks}")
    if retracts and operator.rewrites:
        return barred(
            mode, f"its operator {operator.name} rewrites what was there, and that rests on what was retracted"
        )
    if artifact.embedded and not embeddable:
        return barred(mode, "there is no embedder to embed its successor")
    return None


def judged_by_sources(
    artifact: Affected, edges: Sequence[Influence], operator: Operator, eligibility: Mapping[str, Eligibility]
) -> Eligibility:
    """The fate by what its sources became: `eligibility` holds, by id, every source that stands affected."""
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
            wanted = f"one of its sources{_of_role(role)} ({_sources(members)}) and none can come"
            return barred(mode, f"needs {wanted}, such as {obstacle}{behind}", f"it needs {wanted}")
        predecessors |= coming
    supports = {edge.source for edge in edges if edge.standing in IN_SERVICE}
    if predecessors or supports:
        return Eligibility(mode, True, predecessors=tuple(predecessors), supports=tuple(sorted(supports)))
    return _nothing_left(mode, edges, eligibility)


def need_of(edge: Influence, operator: Operator | None) -> Required:
    """True, False or "any": what the edge says, else what the operator declares.

    Of an operator that is not known here nobody can say that it needs a source: what it made is not given up for that.
    """
    if edge.required is not None:
        return edge.required
    return operator is not None and operator.support is SupportNeed.ALL


def groups(edges: Iterable[Influence]) -> dict[str | None, list[Influence]]:
    """The `any` edges by role: of each group at least one is needed."""
    found: dict[str | None, list[Influence]] = {}
    for edge in edges:
        if edge.required == "any":
            found.setdefault(edge.role, []).append(edge)
    return found


def barred(mode: Mode, reason: str, cause: str | None = None) -> Eligibility:
    """The fate of an artifact that cannot be repaired now."""
    return Eligibility(mode, False, reason, reason if cause is None else cause)


def removed(reason: str, cause: str | None = None) -> Eligibility:
    """The fate of an artifact that gets no successor."""
    return Eligibility(Mode.REMOVE, False, reason, reason if cause is None else cause)


def _can_come(edge: Influence, eligibility: Mapping[str, Eligibility]) -> bool:
    return edge.standing is Standing.AFFECTED and eligibility[edge.source].executable


def _obstacle(edge: Influence, eligibility: Mapping[str, Eligibility]) -> tuple[str, str]:
    """Why a source will not come, and what lies behind that: one step, so that a reason stays short in a long chain."""
    if edge.standing is not Standing.AFFECTED:
        stands = "is held by another event" if edge.standing is Standing.ELSEWHERE else "was deleted"
        return f"{edge.source_key}, which {stands}", ""
    verdict = eligibility[edge.source]
    state = "is removed" if verdict.mode is Mode.REMOVE else "is not executable"
    return f"{edge.source_key}, which {state}", f": {verdict.cause}"


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


def _sources(edges: Iterable[Influence]) -> str:
    keys = sorted({edge.source_key for edge in edges})
    more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
    return ", ".join(keys[:_NAMED]) + more


def _of_role(role: str | None) -> str:
    return "" if role is None else f" of role {role}"
