"""Reads what a memory file says of a space: whole artifacts with the keys of their sources, a few at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..model.artifact import Kind, State
from .keys import read_page
from .mapping import artifact_of
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..model.artifact import Artifact
    from .transactions import Transactions, Tx

_EXPORT = query("retrieve/export")
_MARK = query("retrieve/served_mark")

CHARACTERS = 4 * 1024 * 1024
"""The most characters of content that are read at once, unless a single key has more."""

KEYS = 100
"""The most keys whose artifacts are read at once."""

_SERVED = (State.VISIBLE,)
_KEPT = (State.VISIBLE, State.WITHDRAWN, State.RETIRED)


class Mark(NamedTuple):
    """What changes whenever what is in service does."""

    served: int
    hidden: int
    newest: str
    edges: int
    near: int
    events: int


class Exported(NamedTuple):
    """One version, what it was produced from and what it is near to, by key."""

    version: Artifact
    sources: tuple[dict[str, Any], ...]
    near: tuple[dict[str, Any], ...]


def mark(tx: Tx, space: str) -> Mark:
    """Return the mark of a space."""
    row = _MARK.one(tx, space=space)
    return Mark(*(row[name] for name in Mark._fields))


def parts(db: Transactions, space: str, *, versions: bool) -> Iterator[list[str]]:
    """Yield the keys of a space in their order, in parts that can be read at once."""
    start: str | None = ""
    part: list[str] = []
    total = 0
    while start is not None:
        lines, start = db.read(read_page, space, start, None, _KEPT if versions else _SERVED, tuple(Kind))
        for line in lines:
            if part and (len(part) == KEYS or total + line.characters > CHARACTERS):
                yield part
                part, total = [], 0
            part.append(line.key)
            total += line.characters
    if part:
        yield part


def read_versions(tx: Tx, space: str, keys: Sequence[str], *, versions: bool) -> list[Exported]:
    """Return what is in service of the keys, or all their versions but drafts."""
    states = [str(state) for state in (_KEPT if versions else _SERVED)]
    rows = _EXPORT.run(tx, space=space, keys=list(keys), states=states)
    return [Exported(artifact_of(row["artifact"]), tuple(row["sources"]), tuple(row["near"])) for row in rows]
