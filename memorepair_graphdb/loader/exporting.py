"""Writes what is in service as wire-format lines, which `load` takes back; with `versions`, history beside it.

Lines come a few at a time, so memory is bounded by the largest artifacts. No transaction spans them all: what was in
service is compared before and after, and a memory that changed meanwhile is an error behind the last line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import ChangedMeanwhile
from ..model.wire import write_line
from ..store import export as store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..environment import Progress
    from ..store.transactions import Transactions


def export(
    db: Transactions, space: str, *, versions: bool, embeddings: bool, progress: Progress
) -> Iterator[dict[str, Any]]:
    """Yield lines in the order of keys, and of versions within one.

    Raises `ChangedMeanwhile` behind the last line where the lines are not of one state: another call may do.
    """
    before = db.read(store.mark, space)
    done = 0
    progress("export", 0, before.served)
    for part in store.parts(db, space, versions=versions):
        for artifact in db.read(store.read_versions, space, part, versions=versions):
            done += artifact.version.visible
            yield write_line(artifact.version, artifact.sources, artifact.near, history=versions, embeddings=embeddings)
        progress("export", done, before.served)
    if db.read(store.mark, space) != before:
        raise ChangedMeanwhile(
            f"space {space} changed while it was exported, so the lines may be of no state that it had: export again"
        )
