"""Commands that withdraw, repair, erase and forgive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput, Refused
from .connection import connected, global_options
from .event_options import event_from_options
from .events import emit_report
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
    Metadata,
    Migrate,
    OwnEventId,
    Prefix,
    Reason,
    Retire,
    Tradeoff,
    Where,
    Yes,
)
from .output import emit, note
from .resumable import resumable

if TYPE_CHECKING:
    from ..model.report import Report


def withdraw(
    ctx: typer.Context,
    delete: Delete = None,
    where: Where = None,
    prefix: Prefix = None,
    correct: Correct = None,
    metadata: Metadata = None,
    migrate: Migrate = None,
    retire: Retire = None,
    event: EventFile = None,
    expect: Expect = None,
    reason: Reason = "",
    actor: Actor = "",
    event_id: OwnEventId = None,
    as_json: AsJson = False,
) -> None:
    """Take the cascade out of service, and no more; `resume` goes on from there."""
    wanted_event = event_from_options(
        delete, where, prefix, correct, migrate, retire, event, metadata, reason=reason, actor=actor, id=event_id
    )
    with connected(ctx, "Withdrawing") as memory, resumable(ctx, memory, wanted_event.id, as_json):
        report = memory.withdraw(wanted_event, expect=expect)
    emit_report(report, as_json)
    if not as_json and report.status != "closed":
        note(
            f"Nothing of it is served any more; `{global_options(ctx).command('resume', report.event_id)}` repairs it."
        )


def repair(
    ctx: typer.Context,
    delete: Delete = None,
    where: Where = None,
    prefix: Prefix = None,
    correct: Correct = None,
    metadata: Metadata = None,
    migrate: Migrate = None,
    retire: Retire = None,
    event: EventFile = None,
    tradeoff: Tradeoff = DEFAULT_TRADEOFF,
    budget: Budget = None,
    expect: Expect = None,
    reason: Reason = "",
    actor: Actor = "",
    event_id: OwnEventId = None,
    as_json: AsJson = False,
) -> None:
    """Withdraw the cascade, rebuild what is worth it, validate, publish."""
    wanted_event = event_from_options(
        delete, where, prefix, correct, migrate, retire, event, metadata, reason=reason, actor=actor, id=event_id
    )
    with connected(ctx, "Withdrawing") as memory, resumable(ctx, memory, wanted_event.id, as_json):
        report = memory.repair(wanted_event, tradeoff=tradeoff, budget=budget, expect=expect)
    _finish(report, as_json)


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
            with resumable(ctx, memory, lambda: watcher.event_id, as_json):
                watcher.run(event_id, lambda report: emit_report(report, as_json))
            return
        if event_id is not None:
            with resumable(ctx, memory, event_id, as_json):
                report = memory.resume(event_id, tradeoff=tradeoff, budget=budget)
        else:
            reports = []
            for waiting in memory.open_events():
                with resumable(ctx, memory, waiting.event_id, as_json):
                    reports.append(memory.resume(waiting.event_id, tradeoff=tradeoff, budget=budget))
    if event_id is not None:
        _finish(report, as_json)
    else:
        _emit_reports(reports, as_json)


def retry(
    ctx: typer.Context,
    event_id: EventId,
    tradeoff: AnotherTradeoff = None,
    budget: Budget = None,
    as_json: AsJson = False,
) -> None:
    """Plan a closed event again over what it still holds: with another λ or budget, or a mended operator."""
    with connected(ctx, "Planning again") as memory, resumable(ctx, memory, event_id, as_json):
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


def forgive(
    ctx: typer.Context,
    ref: Annotated[str, typer.Argument(metavar="KEY", help="Key, or the id of an erased artifact.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept on the artifact.")] = "",
    actor: Annotated[str, typer.Option("--actor", metavar="TEXT", help="On whose behalf; kept on the artifact.")] = "",
    as_json: AsJson = False,
) -> None:
    """Let a content that was erased be written again; what is empty stays empty."""
    from .render.tables import render_forgiveness

    with connected(ctx, "Forgiving") as memory:
        forgiveness = memory.forgive(ref, reason=reason, actor=actor)
    emit(forgiveness, lambda: render_forgiveness(forgiveness), as_json)


def _emit_reports(reports: list[Report], as_json: bool) -> None:
    from rich.console import Group
    from rich.text import Text

    from .render.tables import render_report

    def render() -> Group:
        return Group(*(render_report(report) for report in reports)) if reports else Group(Text("No event is open."))

    emit({"reports": [report.model_dump(mode="json") for report in reports]}, render, as_json)


def _finish(report: Report, as_json: bool) -> None:
    """Print the report; an event that another worker has is no success of ours."""
    emit_report(report, as_json)
    if report.status != "closed":
        raise typer.Exit(Refused.exit_code)
