"""Loads a file of artifacts: checked whole before anything is written, in batches, repeatable; and exports one.

Sources are written before what rests on them; a line that is in the graph already, in any state, is skipped, and
counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..environment import batches
from ..model.report import LoadReport
from ..store import bulk, schema
from ..store.plans import BATCH
from .checking import check
from .exporting import export
from .lines import FileLines, Lines, read_lines
from .order import find_circles, sort_sources_first, split

if TYPE_CHECKING:
    from ..environment import Environment

_CIRCLE_SHOWN = 5


def load(env: Environment, file: FileLines) -> LoadReport:
    """Load lines from `read_lines`; raises `BadInput` or `Refused` naming lines and reasons, with nothing written.

    Another writer that comes between the check and a batch can have that batch `Refused`; what went before it is in
    service then, and loading the same lines again goes on from there.
    """
    read = file.lines
    to_write = check(env, read)
    drafts = {line.draft.key: line.draft for line in to_write.new}
    order = sort_sources_first({key: [source.ref for source in draft.sources] for key, draft in drafts.items()})
    if to_write.dimensions is not None:
        env.db.write(schema.declare_embedding, to_write.dimensions)
        env.db.read(schema.await_indexes)
    written = 0
    for part in split(order, {key: len(draft.content) for key, draft in drafts.items()}):
        written += env.db.write(bulk.load, env.space, [drafts[key] for key in part], env.tombstone_key)
        env.progress("load", written, len(drafts))
    linked = sum(env.db.write(bulk.link_semantic, env.space, part) for part in batches(to_write.near, BATCH))
    return LoadReport(
        created=written,
        skipped=len(read) - written,
        linked=linked,
        history=file.history,
        warnings=tuple(map(_warn, find_circles(order))),
    )


def _warn(circle: tuple[str, ...]) -> str:
    shown = ", ".join(circle[:_CIRCLE_SHOWN]) + (", …" if len(circle) > _CIRCLE_SHOWN else "")
    return f"influence goes in a circle through {shown}: legal, never rebuilt"


__all__ = ["Lines", "export", "load", "read_lines"]
