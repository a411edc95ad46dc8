"""Withdraws a cascade in one transaction (paper section 3.1).

It is one statement, which reads nothing before it holds the gates: what it read earlier could lack an edge that a
derivation commits meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..model.content import content_hash
from ..model.names import new_artifact_id
from ..model.tombstone import tombstone_fields
from .errors import raise_if_refused
from .queries import query

if TYPE_CHECKING:
    from ..model.event import RepairEvent
    from .transactions import Tx

_WITHDRAW = query("barrier/withdraw")


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
    row = raise_if_refused(
        _WITHDRAW.one(
            tx,
            space=space,
            event_id=event.id,
            type=str(event.type),
            roots=list(event.roots),
            replacements=[
                _replacement(root, content, tombstone_key)
                for root, content in event.replacements.items()
                if content is not None
            ],
            delta=event.delta,
            reason=event.reason,
            actor=event.actor,
        )
    )
    return Withdrawal(event.id, row["seq"], row["affected"] or 0, row["rule"] == "same")


def _replacement(root: str, content: str, tombstone_key: bytes) -> dict[str, Any]:
    hash_ = content_hash(content)
    return {
        "root": root,
        "id": new_artifact_id(),
        "content": content,
        "content_hash": hash_,
        **tombstone_fields(content, hash_, tombstone_key),
    }
