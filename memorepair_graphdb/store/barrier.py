"""Withdraws a cascade in one transaction (paper section 3.1).

It is one statement, which reads nothing before it holds the gates: what it read earlier could lack an edge that a
derivation commits meanwhile. Roots that are selected are looked for behind the same gates, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import EventConflict
from ..model.content import content_hash, keyed_hash
from ..model.names import new_artifact_id
from ..model.tombstone import tombstone_fields
from ..model.vocabulary import EventType
from .errors import raise_if_refused
from .keys import fix_roots
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.event import RepairEvent
    from .transactions import Tx

_WITHDRAW = query("barrier/withdraw")
_ROOTS = query("barrier/roots")
_SELECTION = query("barrier/selection")
_SELECT = query("barrier/select")


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What a barrier did: the event's number in its space, and how many artifacts it took out of service.

    None are affected where every root holds its replacement already; the event is closed then.
    """

    event_id: str
    seq: int
    affected: int
    repeated: bool
    """the event was there already, and nothing changed"""


class LiveRoot(NamedTuple):
    """A live artifact that an event names, as it was read without a lock."""

    id: str
    key: str
    content: str
    content_hash: str
    metadata: str
    """JSON; empty where there is none"""
    comparable: bool
    """whether equal content means that nothing changes: it is in service, and its content is all of it"""
    contract: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """What a corrected root keeps of its metadata, if it is still the version, with the metadata, that was read."""

    of: str
    was: str
    metadata: str | None
    dropped: str
    """the fields that go, for a person"""


@dataclass(frozen=True, slots=True)
class RootChange:
    """What is known of one root beside its replacement."""

    same_as: str | None
    """the hash of the live content, where the replacement is equal to it"""
    kept: Kept | None


_NOTHING_KNOWN = RootChange(None, None)
_NO_CHANGES: Mapping[str, RootChange] = MappingProxyType({})


def read_roots(tx: Tx, space: str, refs: Sequence[str]) -> dict[str, LiveRoot]:
    """Return the live artifacts behind keys or ids; what has none is left out."""
    row = _ROOTS.one(tx, space=space, roots=list(refs))
    columns = ("ids", "keys", "contents", "hashes", "metadata", "comparable", "contracts")
    return dict(zip(row["refs"], map(LiveRoot, *(row[column] for column in columns)), strict=True))


def withdraw(
    tx: Tx, space: str, event: RepairEvent, tombstone_key: bytes, changes: Mapping[str, RootChange] = _NO_CHANGES
) -> Withdrawal:
    """Take C(F) out of service; raises `NotFound`, `BadInput`, `EventConflict`, `Tombstoned`: nothing is written.

    `changes` says, by root, what was compared beforehand; without it a corrected root keeps no metadata.
    """
    if event.criteria is None:
        return _withdraw(tx, space, event, event.roots, tombstone_key, changes)
    selected_by = keyed_hash(tombstone_key, content_hash(event.delta))
    if (row := _SELECTION.first(tx, space=space, event_id=event.id)) is not None:
        if row["type"] != EventType.DELETE or row["selection"] != selected_by:
            raise EventConflict(f"event {event.id} exists with another request: give this one an id of its own")
        return Withdrawal(event.id, row["seq"], row["affected"], repeated=True)
    withdrawal = _withdraw(tx, space, event, fix_roots(tx, space, event.criteria), tombstone_key)
    _SELECT.one(tx, space=space, event_id=event.id, selection=selected_by)
    return withdrawal


def _withdraw(
    tx: Tx,
    space: str,
    event: RepairEvent,
    roots: Sequence[str],
    tombstone_key: bytes,
    changes: Mapping[str, RootChange] = _NO_CHANGES,
) -> Withdrawal:
    row = raise_if_refused(
        _WITHDRAW.one(
            tx,
            space=space,
            event_id=event.id,
            type=str(event.type),
            roots=list(roots),
            replacements=[
                _replacement(event, root, content, tombstone_key, changes.get(root, _NOTHING_KNOWN))
                for root, content in event.replacements.items()
                if content is not None
            ],
            delta=event.delta,
            reason=event.reason,
            actor=event.actor,
        )
    )
    return Withdrawal(event.id, row["seq"], row["affected"] or 0, row["rule"] == "same")


def _replacement(
    event: RepairEvent, root: str, content: str, tombstone_key: bytes, change: RootChange
) -> dict[str, Any]:
    hash_ = content_hash(content)
    return {
        "tool": event.tool_of(root),
        "root": root,
        "id": new_artifact_id(),
        "content": content,
        "content_hash": hash_,
        **tombstone_fields(content, hash_, tombstone_key),
        "metadata": event.metadata.get(root),
        "clears_metadata": root in event.metadata and event.metadata[root] is None,
        "same_as": change.same_as,
        "kept": asdict(change.kept) if change.kept else None,
    }
