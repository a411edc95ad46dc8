"""Reads what became of an event, with the keys that hold words of what it retracted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..operators.checks.residue import quoting_keys
from ..store import events, operator_inputs

if TYPE_CHECKING:
    from ..environment import Environment
    from ..model.report import Report
    from ..store.transactions import Tx

_NAMED = 3
"""How many keys a note lists before it counts the rest."""


def read_report(env: Environment, event_id: str) -> Report:
    """Return the report of an event; raises `NotFound`. Once the texts are erased nothing is told of keys any more."""

    def read(tx: Tx) -> Report:
        report = events.status(tx, env.space, event_id)
        keys = quoting_keys(operator_inputs.root_texts(tx, env.space, event_id), report.outcomes)
        if not keys:
            return report
        return report.model_copy(update={"quoting_keys": keys, "notes": (*report.notes, note_on_keys(keys))})

    return env.db.read(read)


def note_on_keys(keys: tuple[str, ...]) -> str:
    """Return, for a person, how many keys hold words of what was retracted, and which."""
    more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
    return f"{len(keys)} keys hold words of what was retracted, and stay as they are: {', '.join(keys[:_NAMED])}{more}"
