"""Loads a file of artifacts: checked whole before anything is written, in batches, repeatable.

The law of the room: parents go before children; a line that is here already, in any state, is skipped and counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..environment import batches
from ..model.report import LoadReport
from ..store import bulk, schema
from ..store.plans import BATCH
from .checking import checked
from .lines import Lines, read_lines
from .order import circles, parts, sources_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..environment import Environment
    from ..model.wire import Line

_CIRCLE_SHOWN = 5


def load(env: Environment, read: Sequence[Line]) -> LoadReport:
    """Load lines from `read_lines`; raises `BadInput` or `Refused` naming lines and reasons, with nothing written.

    Another writer that comes between the check and a batch can have that batch `Refused`; what went before it is in
    service then, and loading the same lines again goes on from there.
    """
    found = checked(env, read)
    drafts = {line.draft.key: line.draft for line in found.new}
    order = sources_first({key: [source.ref for source in draft.sources] for key, draft in drafts.items()})
    if found.dimensions is not None:
        env.db.write(schema.declare_embedding, found.dimensions)
        env.db.read(schema.await_indexes)
    written = 0
    for part in parts(order, {key: len(draft.content) for key, draft in drafts.items()}):
        written += env.db.write(bulk.load, env.space, [drafts[key] for key in part], env.tombstone_key)
        env.progress("load", written, len(drafts))
    linked = sum(env.db.write(bulk.near, env.space, part) for part in batches(found.near, BATCH))
    return LoadReport(
        created=written, skipped=len(read) - written, linked=linked, warnings=tuple(map(_warning, circles(order)))
    )


def _warning(circle: tuple[str, ...]) -> str:
    shown = ", ".join(circle[:_CIRCLE_SHOWN]) + (", …" if len(circle) > _CIRCLE_SHOWN else "")
    return f"influence goes in a circle through {shown}: legal, never rebuilt"


__all__ = ["Lines", "load", "read_lines"]
