"""Stages and publishes the successors of an event, and notes the outcomes of the others.

Every statement compares the event's status, its attempt and what it holds under the event's lock, and does all of a
call or nothing: without the lock two workers both published in 29 of 30 rounds (design, section 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import OutOfService
from .errors import raise_if_refused
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .events import Claim
    from .transactions import Tx

_STAGE = query("publish/stage")
_PUBLISH = query("publish/publish")
_OUTCOMES = query("publish/outcomes")
_REMOVE = query("publish/remove")
_CLOSE = query("publish/close")
_SET_EMBEDDING = query("artifact/set_embedding")


class Offended(OutOfService):
    """A stage or publish call was refused as a whole; `offenders` are the ids of the old versions to blame."""

    def __init__(self, message: str, offenders: Sequence[str], *, erased: bool) -> None:
        super().__init__(message)
        self.offenders = frozenset(offenders)
        self.erased = erased
        """whether all of them hold content that was erased from the space; else they, or a support, left service"""


def stage(tx: Tx, space: str, claimed: Claim, rows: Sequence[dict[str, Any]]) -> None:
    """Store validated successors as drafts; raises `Offended`, `ClaimLost` or `EventConflict`."""
    row = _STAGE.one(tx, space=space, event_id=claimed.event_id, attempt=claimed.attempt, rows=list(rows))
    raise_if_offended(row)


def publish(tx: Tx, space: str, claimed: Claim, rows: Sequence[dict[str, Any]]) -> None:
    """Put drafts into service in place of what they succeed; raises as `stage`."""
    row = _PUBLISH.one(tx, space=space, event_id=claimed.event_id, attempt=claimed.attempt, rows=list(rows))
    raise_if_offended(row)


def outcomes(tx: Tx, space: str, claimed: Claim, rows: Sequence[dict[str, Any]]) -> None:
    """Write the outcomes of artifacts that got no successor; raises `ClaimLost` or `EventConflict`."""
    raise_if_refused(
        _OUTCOMES.one(tx, space=space, event_id=claimed.event_id, attempt=claimed.attempt, rows=list(rows))
    )


def remove(tx: Tx, space: str, claimed: Claim, ids: Sequence[str]) -> None:
    """Retire artifacts of mode `remove`."""
    raise_if_refused(_REMOVE.one(tx, space=space, event_id=claimed.event_id, attempt=claimed.attempt, ids=list(ids)))


def close(tx: Tx, space: str, claimed: Claim) -> None:
    """Close the event, and drop what is still staged for it."""
    raise_if_refused(_CLOSE.one(tx, space=space, event_id=claimed.event_id, attempt=claimed.attempt))


def set_embedding(tx: Tx, space: str, event_id: str, id_: str, content_hash: str, embedding: Sequence[float]) -> bool:
    """Embed the replacement of a root; False when it has left service or changed meanwhile."""
    row = _SET_EMBEDDING.one(
        tx, space=space, event_id=event_id, id=id_, content_hash=content_hash, embedding=list(embedding)
    )
    return bool(row["status"] == "done")


def raise_if_offended(row: Any) -> None:
    """Raise `Offended` with the offenders of a refused row, or what `raise_if_refused` raises; else do nothing."""
    if row["status"] == "refused" and row["offenders"]:
        raise Offended(row["detail"], row["offenders"], erased=row["rule"] == "tombstoned")
    raise_if_refused(row)
