"""Commands that show what a repair would do, and write nothing: a plan, and the frontier over every λ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import BadInput
from .connection import connected
from .event_options import event_from_options
from .options import (
    DEFAULT_TRADEOFF,
    AnotherTradeoff,
    AsJson,
    Budget,
    Correct,
    Delete,
    EventFile,
    Migrate,
    Prefix,
    Retire,
    Tradeoff,
    Where,
)
from .output import emit, note


def preview(
    ctx: typer.Context,
    delete: Delete = None,
    where: Where = None,
    prefix: Prefix = None,
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

    wanted_event = event_from_options(delete, where, prefix, correct, migrate, retire, event)
    with connected(ctx, "Planning") as memory:
        plan = memory.preview(wanted_event, tradeoff=tradeoff, budget=budget)
    emit(plan, lambda: render_plan(plan), as_json)
    if not as_json:
        note(f"\nTo have exactly this: repair … --expect {plan.plan_id}")


def frontier(
    ctx: typer.Context,
    event_id: Annotated[
        str | None, typer.Argument(metavar="[EVENT]", help="Id of an event; else say below what it would be.")
    ] = None,
    delete: Delete = None,
    where: Where = None,
    prefix: Prefix = None,
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
    described = any((delete, where, prefix is not None, correct, migrate, retire, event))
    if (event_id is None) != described:
        raise BadInput("say which event: the id of one, or what it would be (--delete KEY, …), and not both")
    with connected(ctx, "Tracing the frontier") as memory:
        target = event_id or event_from_options(delete, where, prefix, correct, migrate, retire, event)
        report = memory.frontier(target, tradeoff=tradeoff)
    if out is not None:
        frontier.draw(report, out)
    emit(report, lambda: frontier.render_frontier(report), as_json)
    if out is not None and not as_json:
        note(f"Drawn in {out}.")
