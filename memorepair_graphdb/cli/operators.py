"""Commands that list the operators known here and try one; they write nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from .connection import connected, user_application
from .options import AsJson, Key
from .output import emit


def operators(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the operators that are known here, those of --app included."""
    from .render.operators import operators_json, render_operators

    registry = user_application(ctx).registry
    emit(operators_json(registry), lambda: render_operators(registry), as_json)


def replay(
    ctx: typer.Context,
    key: Key,
    operator: Annotated[
        str | None, typer.Option("--operator", metavar="NAME@VERSION", help="Another operator than its own.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Try the operator of an artifact in service, and its checks, as a repair would; exits with 1 if it fails."""
    from .render.operators import render_dry_run

    with connected(ctx, "Trying") as memory:
        dry_run = memory.replay(key, operator=operator)
    emit(dry_run, lambda: render_dry_run(dry_run), as_json)
    if dry_run.outcome != "passes":
        raise typer.Exit(1)
