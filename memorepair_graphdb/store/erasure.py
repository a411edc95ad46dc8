"""Empties what a closed event took out of memory, and gives a receipt; forgives what was emptied.

An erased artifact keeps its id, key, times and a keyed hash; check/erased finds any that keeps more.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from ..model.content import keyed_hash
from ..model.report import ErasureReceipt, Forgiveness
from .errors import raise_if_refused
from .queries import query

if TYPE_CHECKING:
    from .transactions import Tx

_TO_ERASE = query("artifact/to_erase")
_ERASE = query("artifact/erase")
_FORGIVE = query("artifact/forgive")

CANNOT_REACH = (
    "the server's transaction logs and freed pages, until they are overwritten",
    "backups and copies of the database",
    "texts that agents or models have already read",
)


def erase(tx: Tx, space: str, event_id: str, tombstone_key: bytes) -> ErasureReceipt:
    """Erase the texts of a closed event.

    Raises `EventConflict` while the event is open, `PlanChanged` when more came to be erased meanwhile.
    """
    candidates = _TO_ERASE.first(tx, space=space, event_id=event_id)
    pairs = zip(candidates["ids"], candidates["hashes"], strict=True) if candidates else ()
    hashes = [{"id": id_, "tombstone": keyed_hash(tombstone_key, plain) if plain else None} for id_, plain in pairs]
    row = raise_if_refused(_ERASE.one(tx, space=space, event_id=event_id, hashes=hashes))
    columns = (row["ids"], row["keys"], row["versions"], row["tombstones"])
    erased = [
        {"id": id_, "key": key, "version": version, "tombstone": tombstone}
        for id_, key, version, tombstone in sorted(zip(*columns, strict=True), key=lambda entry: entry[1:3])
    ]
    return ErasureReceipt(
        event_id=event_id,
        erased=tuple(erased),
        already_erased=row["already"],
        erased_at=_as_time(row["erased_at"]),
        cannot_reach=CANNOT_REACH,
    )


def forgive(tx: Tx, space: str, ref: str, reason: str, actor: str) -> Forgiveness:
    """Lift the tombstones of an erased artifact (its id) or of a key; raises `NotFound` where nothing was erased."""
    row = raise_if_refused(_FORGIVE.one(tx, space=space, ref=ref, reason=reason, actor=actor))
    columns = zip(row["ids"], row["keys"], row["versions"], strict=True)
    return Forgiveness(
        ref=ref,
        forgiven=tuple({"id": id_, "key": key, "version": version} for id_, key, version in columns),
        already_forgiven=row["already"],
        forgiven_at=_as_time(row["forgiven_at"]),
        reason=reason,
        actor=actor,
    )


def _as_time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
