"""Commands on repair events: preview, withdraw, repair, and what follows.

The law of the room: an event that is left open, by an interrupt or a failure, is named, and how to resume it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput, MemoRepairError, NotFound, Refused
from .connection import asked, connected
from .event_options import requested
from .options import (
    DEFAULT_TRADEOFF,
    Actor,
    AnotherTradeoff,
    AsJson,
    Budget,
    Correct,
    Delete,
    EventFile,
    EventId,
    Expect,
    GivenId,
    Migrate,
    Reason,
    Retire,
    Tradeoff,
    Yes,
)
from .output import emit, fail, note

if TYPE_CHECKING:
    from ..api import MemoRepair
    from ..model.report import Report

INTERRUPTED = 130


def preview(
    ctx: typer.Context,
    delete: Delete = None,
    correct: Correct = None,
    migrate: Migrate = None,
    retire: Retire = None,
    event: EventFile = None,
    tradeoff: Tradeoff = DEFAULT_TRADEOFF,
    budget: Budget = None,
    as_json: AsJson = False,
) -> None:
    """Show what a repair would do; nothing is written."""
    from .render.tables import render_plan

    wanted = requested(delete, correct, migrate, retire, event)
    with connected(ctx, "Planning") as memory:
        plan = memory.preview(wanted, tradeoff=tradeoff, budget=budget)
    emit(plan, lambda: render_plan(plan), as_json)
    if not as_json:
        note(f"\nTo have exactly this: repair … --expect {plan.plan_id}")


def frontier(
    ctx: typer.Context,
    event_id: Annotated[
        str | None, typer.Argument(metavar="[EVENT]", help="Id of an event; else say below what it would be.")
    ] = None,
    delete: Delete = None,
    correct: Correct = None,
    migrate: Migrate = None,
    retire: Retire = None,
    event: EventFile = None,
    tradeoff: AnotherTradeoff = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Draw it too: .png, .svg, .html; or .csv, the points.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what every λ would bring back, and what that would cost; nothing is written."""
    from .render import frontier

    if out is not None:
        frontier.check(out)
    described = any((delete, correct, migrate, retire, event))
    if (event_id is None) != described:
        raise BadInput("say which event: the id of one, or what it would be (--delete KEY, …), and not both")
    with connected(ctx, "Tracing the frontier") as memory:
        wanted = event_id or requested(delete, correct, migrate, retire, event)
        found = memory.frontier(wanted, tradeoff=tradeoff)
    if out is not None:
        frontier.draw(found, out)
    emit(found, lambda: frontier.picture(found), as_json)
    if out is not None and not as_json:
        note(f"Drawn in {out}.")


def withdraw(
    ctx: typer.Context,
    delete: Delete = None,
    correct: Correct = None,
    migrate: Migrate = None,
    retire: Retire = None,
    event: EventFile = None,
    expect: Expect = None,
    reason: Reason = "",
    actor: Actor = "",
    event_id: GivenId = None,
    as_json: AsJson = False,
) -> None:
    """Take the cascade out of service, and no more; `resume` goes on from there."""
    wanted = requested(delete, correct, migrate, retire, event, reason=reason, actor=actor, id=event_id)
    with connected(ctx, "Withdrawing") as memory, _resumable(ctx, memory, wanted.id, as_json):
        report = memory.withdraw(wanted, expect=expect)
    _tell(report, as_json)
    if not as_json and report.status != "closed":
        note(f"Nothing of it is served any more; `{asked(ctx).command('resume', report.event_id)}` repairs it.")


def repair(
    ctx: typer.Context,
    delete: Delete = None,
    correct: Correct = None,
    migrate: Migrate = None,
    retire: Retire = None,
    event: EventFile = None,
    tradeoff: Tradeoff = DEFAULT_TRADEOFF,
    budget: Budget = None,
    expect: Expect = None,
    reason: Reason = "",
    actor: Actor = "",
    event_id: GivenId = None,
    as_json: AsJson = False,
) -> None:
    """Withdraw the cascade, rebuild what is worth it, validate, publish."""
    wanted = requested(delete, correct, migrate, retire, event, reason=reason, actor=actor, id=event_id)
    with connected(ctx, "Withdrawing") as memory, _resumable(ctx, memory, wanted.id, as_json):
        report = memory.repair(wanted, tradeoff=tradeoff, budget=budget, expect=expect)
    _finish(report, as_json)


def events(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the events of the space, newest first."""
    from .render.tables import render_events

    with connected(ctx, "Reading") as memory:
        found = memory.events()
    emit({"events": [line.model_dump(mode="json") for line in found]}, lambda: render_events(found), as_json)


def status(ctx: typer.Context, event_id: EventId, as_json: AsJson = False) -> None:
    """Say what became of an event so far."""
    with connected(ctx, "Reading") as memory:
        report = memory.status(event_id)
    _tell(report, as_json)


def resume(
    ctx: typer.Context,
    event_id: Annotated[
        str | None, typer.Argument(metavar="[EVENT]", help="Id of an event; else all open ones.")
    ] = None,
    watch: Annotated[
        bool,
        typer.Option("--watch", metavar="", help="Keep finishing what others open, until EVENT is closed or Ctrl-C."),
    ] = False,
    give_up: Annotated[
        bool,
        typer.Option(
            "--give-up", metavar="", help="With --watch: also finish events that need operators unknown here."
        ),
    ] = False,
    every: Annotated[float, typer.Option("--every", min=0.1, help="With --watch: seconds between two looks.")] = 2.0,
    tradeoff: AnotherTradeoff = None,
    budget: Budget = None,
    as_json: AsJson = False,
) -> None:
    """Bring open events to their end, whoever opened them."""
    from .worker import Watch

    if give_up and not watch:
        raise BadInput("--give-up goes with --watch; a plain resume plans unknown operators as not executable")
    with connected(ctx, "Resuming" if not watch else "Watching for open events") as memory:
        if watch:
            watcher = Watch(memory, tradeoff, budget, give_up=give_up, every=every)
            with _resumable(ctx, memory, lambda: watcher.event_id, as_json):
                watcher.run(event_id, lambda report: _tell(report, as_json))
            return
        if event_id is not None:
            with _resumable(ctx, memory, event_id, as_json):
                report = memory.resume(event_id, tradeoff=tradeoff, budget=budget)
        else:
            reports = []
            for waiting in memory.open_events():
                with _resumable(ctx, memory, waiting.event_id, as_json):
                    reports.append(memory.resume(waiting.event_id, tradeoff=tradeoff, budget=budget))
    if event_id is not None:
        _finish(report, as_json)
    else:
        _tell_all(reports, as_json)


def retry(
    ctx: typer.Context,
    event_id: EventId,
    tradeoff: AnotherTradeoff = None,
    budget: Budget = None,
    as_json: AsJson = False,
) -> None:
    """Plan a closed event again over what it still holds: with another λ or budget, or a mended operator."""
    with connected(ctx, "Planning again") as memory, _resumable(ctx, memory, event_id, as_json):
        report = memory.retry(event_id, tradeoff=tradeoff, budget=budget)
    _finish(report, as_json)


def erase(ctx: typer.Context, event_id: EventId, yes: Yes = False, as_json: AsJson = False) -> None:
    """Empty what a closed event took out of memory; until then its text is in the database. Cannot be undone."""
    from .render.tables import render_receipt

    if as_json and not yes:
        raise BadInput("erase cannot be undone; with --json say so with --yes")
    with connected(ctx, "Reading") as memory:
        memory.status(event_id)
    if not yes and not typer.confirm(f"Empty all that event {event_id} took out of memory, for good?", err=True):
        note("Nothing was erased.")
        raise typer.Exit(Refused.exit_code)
    with connected(ctx, "Erasing") as memory:
        receipt = memory.erase(event_id)
    emit(receipt, lambda: render_receipt(receipt), as_json)


def _tell(report: Report, as_json: bool) -> None:
    from .render.tables import render_report

    emit(report, lambda: render_report(report), as_json)


def _tell_all(reports: list[Report], as_json: bool) -> None:
    from rich.console import Group
    from rich.text import Text

    from .render.tables import render_report

    def picture() -> Group:
        return Group(*(render_report(report) for report in reports)) if reports else Group(Text("No event is open."))

    emit({"reports": [report.model_dump(mode="json") for report in reports]}, picture, as_json)


def _finish(report: Report, as_json: bool) -> None:
    """Print the report; an event that another worker has is no success of ours."""
    _tell(report, as_json)
    if report.status != "closed":
        raise typer.Exit(Refused.exit_code)


@contextmanager
def _resumable(
    ctx: typer.Context, memory: MemoRepair, event: str | Callable[[], str | None], as_json: bool
) -> Iterator[None]:
    """On an interrupt or a failure say whether the event is open, and how to resume it."""
    try:
        yield
    except KeyboardInterrupt:
        event_id = event if isinstance(event, str) else event()
        said, about = _left(ctx, memory, event_id)
        fail(f"interrupted: {said}", "Interrupted", as_json, **about)
        raise typer.Exit(INTERRUPTED) from None
    except MemoRepairError as error:
        event_id = event if isinstance(event, str) else event()
        if event_id is not None and not isinstance(error, BadInput | NotFound):
            said, about = _left(ctx, memory, event_id)
            if about and not as_json:
                note(said)
        raise


def _left(ctx: typer.Context, memory: MemoRepair, event_id: str | None) -> tuple[str, dict[str, str]]:
    """How an event stands that was not brought to its end, for a person and for a program."""
    if event_id is None:
        return "no event was being worked on", {}
    command = asked(ctx).command("resume", event_id)
    open_ = {"event_id": event_id, "resume": command}
    try:
        report = memory.status(event_id)
    except NotFound:
        return f"event {event_id} was not opened, nothing was written", {}
    except MemoRepairError:
        return f"event {event_id} may be open: `{command}` brings it to its end", open_
    if report.status == "closed":
        return f"event {event_id} is closed", {"event_id": event_id}
    return (
        f"event {event_id} is open ({report.status}) and nothing of it is served: `{command}` brings it to its end",
        open_,
    )
