"""The command that measures.

The law of the room: figures are ratios of paired runs; what was measured is printed beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memorepair_graphdb.cli.connection import connected
from memorepair_graphdb.cli.options import AsJson
from memorepair_graphdb.cli.output import emit, note

if TYPE_CHECKING:
    from rich.table import Table


def bench(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="barrier, derive, serve or event.")],
    size: Annotated[
        list[int] | None, typer.Option("--size", min=100, help="Artifacts (barrier, event). Can be repeated.")
    ] = None,
    pairs: Annotated[int | None, typer.Option("--pairs", min=1, help="How often both sides run, in turn.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure against bare statements that do the same, on this server; leaves nothing behind."""
    from memorepair_graphdb.benchmarks import catalogue

    with connected(ctx, "Measuring") as memory:
        memory.setup()
        found = catalogue.run(memory.transactions, name, sizes=size or (), pairs=pairs, tell=note)
    emit(found, lambda: _table(found), as_json)


def _table(found: dict[str, Any]) -> Table:
    from rich.table import Table

    columns = list(dict.fromkeys(name for result in found["results"] for name in result))
    table = Table(title=f"{found['benchmark']} on {found['server']}, {found['machine']}")
    for column in columns:
        table.add_column(column.replace("_", " "), overflow="fold")
    for result in found["results"]:
        table.add_row(*(_cell(result.get(column, "")) for column in columns))
    return table


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {figure}" for name, figure in value.items())
    return str(value)
