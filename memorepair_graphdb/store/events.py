"""Claims repair events, and reads how far they are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..model.report import EventLine, OpenEvent, Report
from ..model.vocabulary import EventStatus, Outcome
from .errors import raise_if_refused, require_event
from .nodes import RepairEventNode
from .queries import query

if TYPE_CHECKING:
    from neo4j import Record

    from .transactions import Tx

_CLAIM = query("repair/claim")
_RENEW = query("repair/renew")
_RETRY = query("repair/retry")
_ASK = query("repair/ask")
_EVENT = query("retrieve/event")
_EVENTS = query("retrieve/events")
_OPEN = query("retrieve/open_events")
_HELD = query("retrieve/held")

STILL_THERE = "what was taken out of service is out of reach of reads, and its text is still in the database"


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's right to an event: the fencing number that its writes carry, and that they compare under its lock."""

    event_id: str
    attempt: int
    status: EventStatus
    tradeoff: str | None = None
    """the λ that was asked for, or last planned with; None where there is none"""
    budget: str | None = None
    """the budget that was asked for with it"""


def claim(tx: Tx, space: str, event_id: str, owner: str, dead_owner: str, lease_seconds: int) -> Claim:
    """Take the event; raises `ClaimLost` while another has it, `EventConflict` when it is closed, `NotFound`."""
    row = raise_if_refused(
        _CLAIM.one(tx, space=space, event_id=event_id, owner=owner, dead_owner=dead_owner, lease_seconds=lease_seconds)
    )
    return Claim(event_id, row["attempt"], EventStatus(row["event_status"]), row["tradeoff"], row["budget"])


def renew(tx: Tx, space: str, claimed: Claim, lease_seconds: int) -> None:
    """Keep the lease, or give it up with 0 seconds; raises `ClaimLost`."""
    raise_if_refused(
        _RENEW.one(tx, space=space, event_id=claimed.event_id, attempt=claimed.attempt, lease_seconds=lease_seconds)
    )


def retry(tx: Tx, space: str, event_id: str, tradeoff: str | None = None, budget: str | None = None) -> int:
    """Open a closed event again, to be planned with λ and budget (None: as before); returns how many it still holds."""
    row = raise_if_refused(_RETRY.one(tx, space=space, event_id=event_id, tradeoff=tradeoff, budget=budget))
    return int(row["pending"])


def ask(tx: Tx, space: str, event_id: str, tradeoff: str, budget: str | None = None) -> None:
    """Note what an event is to be planned with; raises `EventConflict` when it has its plan."""
    raise_if_refused(_ASK.one(tx, space=space, event_id=event_id, tradeoff=tradeoff, budget=budget))


def open_events(tx: Tx, space: str) -> tuple[OpenEvent, ...]:
    """Return the events that are not closed, oldest first."""
    return tuple(
        OpenEvent(
            event_id=row["event_id"],
            status=EventStatus(row["status"]),
            owner=row["owner"],
            lease_seconds=row["lease_seconds"],
        )
        for row in _OPEN.run(tx, space=space)
    )


def status(tx: Tx, space: str, event_id: str) -> Report:
    """Report what became of the event so far; raises `NotFound`."""
    row = require_event(_EVENT.first(tx, space=space, event_id=event_id), space, event_id)
    report = _report(row)
    if report.status is EventStatus.WITHDRAWN and not report.outcomes:
        keys = _HELD.one(tx, space=space, event_id=event_id)["keys"]
        return report.model_copy(
            update={
                "outcomes": dict.fromkeys(sorted(keys), Outcome.PENDING),
                "counts": {str(Outcome.PENDING): len(keys)},
            }
        )
    return report


def done_already(report: Report) -> Report:
    """Return a report of a request that was carried out before, saying so."""
    note = f"done already: event {report.event_id} was opened with this request before, and nothing was written now"
    return report.model_copy(update={"done_already": True, "notes": (note, *report.notes)})


def events(tx: Tx, space: str) -> tuple[EventLine, ...]:
    """Return all events of the space, newest first."""
    lines = []
    for row in _EVENTS.run(tx, space=space):
        event = RepairEventNode.inflate(row["event"])
        lines.append(
            EventLine(
                event_id=event.uid,
                seq=event.seq,
                type=event.type,
                status=EventStatus(event.status),
                reason=event.reason or "",
                actor=event.actor or "",
                created_at=event.created_at,
                affected=event.affected or 0,
                counts=dict(sorted(zip(row["outcomes"], row["counts"], strict=True))),
            )
        )
    return tuple(lines)


def _report(row: Record) -> Report:
    event = RepairEventNode.inflate(row["event"])
    outcomes: dict[str, Outcome] = {}
    reasons: dict[str, str] = {}
    for key, outcome, reason in zip(row["keys"], row["outcomes"], row["reasons"], strict=True):
        outcomes[key] = Outcome(outcome)  # rows come by version: the newest of a key is the last
        if reason:
            reasons[key] = reason
    counts = Counter(str(outcome) for outcome in row["outcomes"])
    emptied = event.erased_at or event.affected == 0
    return Report(
        event_id=event.uid,
        status=EventStatus(event.status),
        type=event.type,
        reason=event.reason or "",
        outcomes=outcomes,
        reasons=reasons,
        counts=dict(sorted(counts.items())),
        affected=event.affected or 0,
        spent=sum(row["spent"]),
        notes=(
            *(event.notes or ()),
            *(() if emptied else (f"{STILL_THERE}: `memorepair erase {event.uid}` empties it",)),
        ),
    )
