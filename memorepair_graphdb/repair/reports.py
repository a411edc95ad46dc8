"""Reads what became of an event, with the keys that hold words of what it retracted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..operators.checks.residue import quoting_keys
from ..store import events, operator_inputs
from .execution.validation import frequency_in

if TYPE_CHECKING:
    from ..environment import Environment
    from ..model.report import Report

_NAMED = 3
"""How many keys a note lists before it counts the rest."""


def read_report(env: Environment, event_id: str) -> Report:
    """Return the report of an event; raises `NotFound`."""
    return with_quoting_keys(env, env.db.read(events.status, env.space, event_id))


def with_quoting_keys(env: Environment, report: Report) -> Report:
    """Return the report with the keys that hold words of what was retracted; once that is erased, with none."""
    texts = env.db.read(operator_inputs.root_texts, env.space, report.event_id)
    keys = quoting_keys(texts, report.outcomes, frequency_in(env))
    if not keys:
        return report
    return report.model_copy(update={"quoting_keys": keys, "notes": (*report.notes, note_on_keys(keys))})


def note_on_keys(keys: tuple[str, ...]) -> str:
    """Return, for a person, how many keys hold words of what was retracted, and which."""
    more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
    return f"{len(keys)} keys hold words of what was retracted, and stay as they are: {', '.join(keys[:_NAMED])}{more}"
