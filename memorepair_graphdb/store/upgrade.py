"""Brings the data of an older schema version to this one, in batches: one that was cut off goes on where it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .transactions import Transactions

CHARACTERS = 4 * 1024 * 1024
"""The most characters of content in one transaction, unless a single artifact has more."""

NODES = 1_000
"""The most artifacts in one transaction."""


def make_all_searchable(db: Transactions, progress: Callable[[int, int], None]) -> int:
    """Give every artifact in service that lacks it the property that it is searched by; returns how many lacked it.

    `progress` is told how many are done, of how many that are known of so far.
    """
    done = 0
    while waiting := db.read(schema.unsearchable):
        written = 0
        for part in _parts(waiting):
            written += db.write(schema.make_searchable, part)
            progress(done + written, done + len(waiting))
        done += written
    return done


def _parts(nodes: Iterable[tuple[str, int]]) -> Iterator[list[str]]:
    part: list[str] = []
    total = 0
    for node, size in nodes:
        if part and (len(part) == NODES or total + size > CHARACTERS):
            yield part
            part, total = [], 0
        part.append(node)
        total += size
    if part:
        yield part
