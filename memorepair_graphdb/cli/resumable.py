"""Says, when a command is interrupted or fails, whether its event is open and how to resume it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from ..errors import BadInput, MemoRepairError, NotFound
from .connection import global_options
from .output import fail, note

if TYPE_CHECKING:
    from ..api import MemoRepair

INTERRUPTED = 130
"""the exit code of a command that was interrupted, as of a process that SIGINT ends"""


@contextmanager
def resumable(
    ctx: typer.Context, memory: MemoRepair, event: str | Callable[[], str | None], as_json: bool
) -> Iterator[None]:
    """Say, on an interrupt or a failure, whether the event is open, and how to resume it."""
    try:
        yield
    except KeyboardInterrupt:
        event_id = event if isinstance(event, str) else event()
        message, fields = _describe_open_event(ctx, memory, event_id)
        fail(f"interrupted: {message}", "Interrupted", as_json, **fields)
        raise typer.Exit(INTERRUPTED) from None
    except MemoRepairError as error:
        event_id = event if isinstance(event, str) else event()
        if event_id is not None and not isinstance(error, BadInput | NotFound):
            message, fields = _describe_open_event(ctx, memory, event_id)
            if fields and not as_json:
                note(message)
        raise


def _describe_open_event(ctx: typer.Context, memory: MemoRepair, event_id: str | None) -> tuple[str, dict[str, str]]:
    """Return how an event stands that was not brought to its end: a sentence, and fields for `--json`."""
    if event_id is None:
        return "no event was being worked on", {}
    command = global_options(ctx).command("resume", event_id)
    fields = {"event_id": event_id, "resume": command}
    try:
        report = memory.status(event_id)
    except NotFound:
        return f"event {event_id} was not opened, nothing was written", {}
    except MemoRepairError:
        return f"event {event_id} may be open: `{command}` brings it to its end", fields
    if report.status == "closed":
        return f"event {event_id} is closed", {"event_id": event_id}
    return (
        f"event {event_id} is open ({report.status}) and nothing of it is served: `{command}` brings it to its end",
        fields,
    )
