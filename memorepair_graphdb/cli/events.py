"""Commands that look at repair events: all of the space, or one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from .connection import connected
from .options import AsJson, EventId
from .output import emit

if TYPE_CHECKING:
    from ..model.report import Report


def events(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the events of the space, newest first."""
    from .render.tables import render_events

    with connected(ctx, "Reading") as memory:
        lines = memory.events()
    emit({"events": [line.model_dump(mode="json") for line in lines]}, lambda: render_events(lines), as_json)


def status(ctx: typer.Context, event_id: EventId, as_json: AsJson = False) -> None:
    """Say what became of an event so far."""
    with connected(ctx, "Reading") as memory:
        report = memory.status(event_id)
    emit_report(report, as_json)


def emit_report(report: Report, as_json: bool) -> None:
    """Print a report."""
    from .render.tables import render_report

    emit(report, lambda: render_report(report), as_json)
