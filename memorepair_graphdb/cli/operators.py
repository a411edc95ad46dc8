"""Commands on operators: what is known here, and a try of one.

The law of the room: commands that write nothing.
"""

from __future__ import annotations

from typing import Annotated

import typer

from memorepair_graphdb.cli.connection import connected, user_application
from memorepair_graphdb.cli.options import AsJson, Key
from memorepair_graphdb.cli.output import emit


def operators(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the operators that are known here, those of --app included."""
    from memorepair_graphdb.cli.trials import operators_json, operators_picture

    registry = user_application(ctx).registry
    emit(operators_json(registry), lambda: operators_picture(registry), as_json)


def replay(
    ctx: typer.Context,
    key: Key,
    operator: Annotated[
        str | None, typer.Option("--operator", metavar="NAME@VERSION", help="Another operator than its own.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Try the operator of an artifact in service, and its checks, as a repair would; exits with 1 if it fails."""
    from memorepair_graphdb.cli.trials import rehearsal_picture

    with connected(ctx, "Trying") as memory:
        tried = memory.replay(key, operator=operator)
    emit(tried, lambda: rehearsal_picture(tried), as_json)
    if tried.outcome != "passes":
        raise typer.Exit(1)
