"""Writes the lines of a checked file in batches; a batch is written whole or not at all."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import MemoRepairError, Refused
from ..model.content import keyed_hash
from ..model.names import new_artifact_id
from ..model.tombstone import tombstone_fields
from .errors import RULES, raise_if_refused
from .mapping import draft_map, source_map
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.artifact import Draft
    from .transactions import Tx

_KNOWN = query("artifact/known")
_OBSTACLES = query("artifact/obstacles")
_LOAD = query("artifact/load")
_SEMANTIC = query("artifact/semantic")


class Known(NamedTuple):
    """A version that is in the graph already; thousands are read for a file, so it is a tuple."""

    id: str
    state: str
    content_hash: str
    tombstone: str
    sources: tuple[str, ...]

    def equals(self, draft: Draft, tombstone_key: bytes) -> bool:
        """Return whether key, content and source keys equal the draft's (the key is the caller's to match)."""
        if self.sources != tuple(sorted({source.ref for source in draft.sources})):
            return False
        if self.content_hash:
            return self.content_hash == draft.content_hash
        return self.tombstone == keyed_hash(tombstone_key, draft.content_hash)


def read_versions(tx: Tx, space: str, keys: Sequence[str]) -> dict[str, list[Known]]:
    """Return every version of the keys, in any state."""
    row = _KNOWN.one(tx, space=space, keys=list(keys))
    versions: dict[str, list[Known]] = defaultdict(list)
    columns = (row["keys"], row["ids"], row["states"], row["hashes"], row["tombstones"], row["sources"])
    for key, id_, state, hash_, tombstone, sources in zip(*columns, strict=True):
        versions[key].append(Known(id_, state, hash_, tombstone, tuple(sources)))
    return versions


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What forbids a key to come into service, and the error that says so."""

    key: str
    reason: str
    error: type[MemoRepairError]


def find_obstacles(tx: Tx, space: str, drafts: Sequence[Draft], tombstone_key: bytes) -> tuple[Obstacle, ...]:
    """Return what forbids the drafts, in their order; takes no lock, so `load` checks again."""
    lines = [
        {"key": draft.key, "kind": str(draft.kind), "tool": draft.tool}
        | tombstone_fields(draft.content, draft.content_hash, tombstone_key)
        for draft in drafts
    ]
    rows = _OBSTACLES.run(tx, space=space, lines=lines)
    return tuple(Obstacle(row["key"], row["detail"], RULES[row["rule"]]) for row in rows)


def load(tx: Tx, space: str, drafts: Sequence[Draft], tombstone_key: bytes) -> int:
    """Write a batch; raises `Refused`, naming the first key and its fault, with nothing written."""
    lines: list[dict[str, Any]] = [
        {**draft_map(draft, new_artifact_id(), tombstone_key), "sources": [source_map(s) for s in draft.sources]}
        for draft in drafts
    ]
    row = _LOAD.one(tx, space=space, lines=lines)
    if row["faults"]:
        raise Refused("; ".join(f"{fault['key']} {fault['fault']}" for fault in row["faults"][:10]))
    return int(raise_if_refused(row)["created"])


def link_semantic(tx: Tx, space: str, pairs: Sequence[tuple[str, str, float]]) -> int:
    """Write semantic edges (key, key, score) and return how many; a pair with an end out of service is left out."""
    rows = [{"key": key, "near": other, "score": score} for key, other, score in pairs]
    return int(_SEMANTIC.one(tx, space=space, pairs=rows)["linked"])
