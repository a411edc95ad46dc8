"""Says why an artifact is, or is not, in service, from the graph alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neo4j.time import DateTime

from ..errors import NotFound
from ..model.artifact import State
from ..model.report import Why
from ..model.vocabulary import Outcome
from .mapping import artifact_of
from .nodes import RepairEventNode
from .queries import query

if TYPE_CHECKING:
    from datetime import datetime

    from neo4j.graph import Node

    from ..model.artifact import Artifact
    from .transactions import Tx

_WHY = query("retrieve/why")


def why(tx: Tx, space: str, ref: str) -> Why:
    """Return the state of a key (its newest version) or an id, and the reason for it; raises `NotFound`."""
    row = _WHY.first(tx, space=space, ref=ref)
    if row is None:
        raise NotFound(f"{ref} is no artifact of space {space}")
    artifact, erasure = artifact_of(row["artifact"]), _Erasure.of(row["artifact"])
    forgiven = (
        {"at": erasure.forgiven_at.isoformat(), "by": erasure.forgiven_by, "reason": erasure.forgiven_reason}
        if erasure.forgiven_at
        else None
    )
    event = RepairEventNode.inflate(row["event"]) if row["event"] is not None else None
    outcome = Outcome(row["outcome"]) if row["outcome"] else None
    return Why(
        key=artifact.key,
        id=artifact.id,
        state=str(artifact.state),
        version=artifact.version,
        in_service=artifact.visible,
        sentence=_write_sentence(artifact, event, outcome, row["reason"]) + _tell_erasure(erasure),
        event_id=event.uid if event else None,
        outcome=outcome,
        reason=row["reason"],
        path=tuple(row["path"]),
        sources=tuple(row["sources"]),
        versions=tuple(row["versions"]),
        erased_at=erasure.erased_at,
        forgiven=forgiven,
        faults=artifact.faults,
    )


@dataclass(frozen=True, slots=True)
class _Erasure:
    """What is kept of the erasure of an artifact, read by itself: other properties of it may be no value of theirs."""

    erased_at: datetime | None
    forgiven_at: datetime | None
    forgiven_by: str | None
    forgiven_reason: str | None

    @classmethod
    def of(cls, node: Node) -> _Erasure:
        erased, forgiven = (node.get(name) for name in ("erased_at", "forgiven_at"))
        return cls(
            erased.to_native() if isinstance(erased, DateTime) else None,
            forgiven.to_native() if isinstance(forgiven, DateTime) else None,
            *(text if isinstance(text := node.get(name), str) else None for name in ("forgiven_by", "forgiven_reason")),
        )


def _tell_erasure(erasure: _Erasure) -> str:
    if erasure.erased_at is None:
        return ""
    if erasure.forgiven_at is None:
        return "; its text was erased"
    about = " by " + erasure.forgiven_by if erasure.forgiven_by else ""
    reason = ": " + erasure.forgiven_reason if erasure.forgiven_reason else ""
    return f"; its text was erased, and may be written again, forgiven{about}{reason}"


def _write_sentence(artifact: Artifact, event: RepairEventNode | None, outcome: Outcome | None, reason: str) -> str:
    name = f"{artifact.key} (version {artifact.version})"
    if artifact.visible and event is None:
        return f"{name} is in service"
    if event is None:
        return f"{name} is {artifact.state.value.lower()}"
    cause = f"event {event.uid} ({event.type}{': ' + event.reason if event.reason else ''})"
    if outcome is None:
        return f"{name} was withdrawn by {cause}, which has no plan yet"
    if artifact.visible:
        return f"{name} is in service, put there by {cause}" + (f": {reason}" if reason else "")
    if artifact.state is State.WITHDRAWN:
        return f"{name} is withdrawn by {cause}: {outcome.value}" + (f", {reason}" if reason else "")
    return f"{name} was retired by {cause}: {outcome.value}" + (f", {reason}" if reason else "")
