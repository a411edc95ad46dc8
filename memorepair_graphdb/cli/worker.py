"""Runs `resume --watch`: a worker that finishes the events that others open.

It leaves an event that needs an operator unknown here to a worker that has it, unless `--give-up` says otherwise.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import Refused
from ..worker import is_dead
from .output import note

if TYPE_CHECKING:
    from ..api import MemoRepair
    from ..model.report import OpenEvent, Report

_log = logging.getLogger(__name__)


class Watch:
    """One worker, mutable: `event_id` is the event that it works on, None between events."""

    def __init__(
        self, memory: MemoRepair, tradeoff: str | None, budget: str | None, *, give_up: bool, every: float
    ) -> None:
        self.event_id: str | None = None
        self._memory = memory
        self._terms = {"tradeoff": tradeoff, "budget": budget}
        self._give_up = give_up
        self._every = every
        self._noted: set[str] = set()

    def run(self, only: str | None, finished: Callable[[Report], None]) -> None:
        """Look, finish, wait, and so on; returns when the event `only` is closed, and never without one."""
        while True:
            for waiting in self._memory.open_events():
                if only in (None, waiting.event_id) and self._may_resume(waiting):
                    self._resume(waiting.event_id, finished)
            if only is not None and self._memory.status(only).status == "closed":
                return
            time.sleep(self._every)

    def _may_resume(self, waiting: OpenEvent) -> bool:
        """Return whether nobody works on it, and every operator that it needs is known here."""
        if waiting.lease_seconds and not is_dead(waiting.owner):
            return False
        unknown = () if self._give_up else self._memory.unknown_operators(waiting.event_id)
        if unknown:
            self._note_once(
                waiting.event_id, f"event {waiting.event_id} is left open: {', '.join(unknown)} unknown here"
            )
        return not unknown

    def _resume(self, event_id: str, finished: Callable[[Report], None]) -> None:
        self.event_id = event_id
        try:
            report = self._memory.resume(event_id, **self._terms)
        except Refused as refusal:
            _log.info("event %s", event_id, exc_info=True)
            self._note_once(event_id, f"event {event_id} is left open: {refusal}")
        else:
            if report.status == "closed":
                finished(report)
        self.event_id = None

    def _note_once(self, event_id: str, text: str) -> None:
        """Tell a person once for each event."""
        if event_id not in self._noted:
            self._noted.add(event_id)
            note(text)
