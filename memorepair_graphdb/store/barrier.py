"""Withdraws a cascade in one transaction (paper section 3.1).

It is one statement, which reads nothing before it holds the gates: what it read earlier could lack an edge that a
derivation commits meanwhile. Roots that are selected are looked for behind the same gates, in the same transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import EventConflict
from ..model.content import content_hash, keyed_hash
from ..model.names import new_artifact_id
from ..model.vocabulary import EventType
from .errors import raise_if_refused
from .keys import fix_roots
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.event import RepairEvent
    from .transactions import Tx

_WITHDRAW = query("barrier/withdraw")
_SELECTION = query("barrier/selection")
_SELECT = query("barrier/select")


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What a barrier did: the event's number in its space, and how many artifacts it took out of service."""

    event_id: str
    seq: int
    affected: int
    repeated: bool
    """the event was there already, and nothing changed"""


def withdraw(tx: Tx, space: str, event: RepairEvent, tombstone_key: bytes) -> Withdrawal:
    """Take C(F) out of service; raises `NotFound`, `BadInput`, `EventConflict`, `Tombstoned`: nothing is written."""
    if event.criteria is None:
        return _withdraw(tx, space, event, event.roots, tombstone_key)
    selected_by = keyed_hash(tombstone_key, content_hash(event.delta))
    if (row := _SELECTION.first(tx, space=space, event_id=event.id)) is not None:
        if row["type"] != EventType.DELETE or row["selection"] != selected_by:
            raise EventConflict(f"event {event.id} exists with another request: give this one an id of its own")
        return Withdrawal(event.id, row["seq"], row["affected"], repeated=True)
    withdrawal = _withdraw(tx, space, event, fix_roots(tx, space, event.criteria), tombstone_key)
    _SELECT.one(tx, space=space, event_id=event.id, selection=selected_by)
    return withdrawal


def _withdraw(tx: Tx, space: str, event: RepairEvent, roots: Sequence[str], tombstone_key: bytes) -> Withdrawal:
    row = raise_if_refused(
        _WITHDRAW.one(
            tx,
            space=space,
            event_id=event.id,
            type=str(event.type),
            roots=list(roots),
            replacements=[
                _replacement(event, root, content, tombstone_key)
                for root, content in event.replacements.items()
                if content is not None
            ],
            delta=event.delta,
            reason=event.reason,
            actor=event.actor,
        )
    )
    return Withdrawal(event.id, row["seq"], row["affected"] or 0, row["rule"] == "same")


def _replacement(event: RepairEvent, root: str, content: str, tombstone_key: bytes) -> dict[str, Any]:
    hash_ = content_hash(content)
    return {
        "tool": event.tool_of(root),
        "root": root,
        "id": new_artifact_id(),
        "content": content,
        "content_hash": hash_,
        "tombstone": keyed_hash(tombstone_key, hash_),
    }
