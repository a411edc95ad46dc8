"""The command that lists keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from .connection import connected
from .options import AsJson
from .output import emit

if TYPE_CHECKING:
    from ..model.arguments import KindLike
    from ..model.criteria import StateLike


def keys(
    ctx: typer.Context,
    prefix: Annotated[str | None, typer.Option("--prefix", metavar="TEXT", help="Those that begin so.")] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="Of this kind: record, cache, summary or skill.")
    ] = None,
    state: Annotated[
        str, typer.Option("--state", metavar="STATE", help="In this state: visible, withdrawn, retired or any.")
    ] = "visible",
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="metadata.PATH=VALUE",
            help="Whose metadata hold this value. Can be repeated: all must hold.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="At most so many.")] = 1000,
    after: Annotated[str | None, typer.Option("--after", metavar="KEY", help="Go on after this key.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the keys that there are, in their order, a page at a time."""
    from ..model.criteria import conditions_of
    from .render.artifacts import render_keys

    conditions = conditions_of(where) if where else None
    with connected(ctx, "Reading") as memory:
        page = memory.keys(
            prefix=prefix,
            kind=cast("KindLike | None", kind),
            state=cast("StateLike", state),
            where=conditions,
            limit=limit,
            after=after,
        )
    emit(page, lambda: render_keys(page), as_json)
