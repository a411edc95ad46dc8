"""The command that measures.

The law of the room: figures are ratios of paired runs; what was measured is printed beside them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput
from .connection import connected
from .options import AsJson
from .output import emit, note

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

_LISTS = ("leaks", "violations")
"""What `repairs` lists in JSON: a person gets how many."""
_SMALLEST = 100
"""artifacts of a benchmark's memory"""
_ONLY_JSON = ("measure", "peers", "left_out", "needs", "tradeoff", "rounds")
"""What would make a table too wide, or stands in it otherwise."""


def bench(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="barrier, derive, serve, event, selection; faults, residue, forgetting, repairs."
        ),
    ],
    size: Annotated[
        list[int] | None,
        typer.Option("--size", min=1, help="How large. Can be repeated for barrier, event, selection."),
    ] = None,
    pairs: Annotated[int | None, typer.Option("--pairs", min=1, help="How often both sides run, in turn.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Draw the ratios too, as .png or .svg (selection).")
    ] = None,
    fast: Annotated[
        bool, typer.Option("--fast", metavar="", help="Cut with the compiled cutter, not with igraph (selection).")
    ] = False,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="The real workloads (residue, forgetting, repairs).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure speed, in paired runs, or quality, on real workloads; leaves nothing behind."""
    from ..evaluation.quality import catalogue as quality
    from ..evaluation.speed import catalogue
    from .render import benchmarks

    if name in quality.NAMES:
        found = _quality(name, data, size or (), alone=out is None and not fast and pairs is None)
        emit(found, lambda: _picture(found), as_json)
        return
    if data is not None:
        raise BadInput(f"--data goes with {', '.join(quality.NAMES)}")
    if too_small := [given for given in size or () if given < _SMALLEST]:
        raise BadInput(f"--size {too_small[0]}: a benchmark has {_SMALLEST} artifacts or more")
    if out is not None:
        benchmarks.check(out, name)
    if fast and name not in catalogue.ALONE:
        raise BadInput(f"--fast goes with {' and '.join(catalogue.ALONE)}")
    if name in catalogue.ALONE:
        found = catalogue.run_alone(name, sizes=size or (), pairs=pairs, fast=fast, tell=note)
    else:
        with connected(ctx, "Measuring") as memory:
            memory.setup()
            found = catalogue.run(memory.transactions, name, sizes=size or (), pairs=pairs, tell=note)
    if out is not None:
        benchmarks.draw(found["results"], out)
    emit(found, lambda: _picture(found), as_json)


def _quality(name: str, data: Path | None, size: list[int] | tuple[int, ...], *, alone: bool) -> dict[str, Any]:
    """A measurement of quality, which takes one size, data, and nothing else."""
    from .evaluations import evaluate

    if not alone or len(size) > 1:
        raise BadInput(f"{name} takes --data and one --size")
    if data is not None and not data.is_dir():
        raise BadInput(f"there is no directory {str(data)!r}")
    return evaluate(name, data, size[0] if size else None)


def _picture(found: dict[str, Any]) -> Group:
    """A table for each kind of result."""
    from rich.console import Group
    from rich.text import Text

    where = f"{found['server']}, {found['machine']}" if "server" in found else found["machine"]
    kinds: dict[str, list[dict[str, Any]]] = {}
    for result in found["results"]:
        kinds.setdefault(result.get("measure", ""), []).append(_row(result))
    tables = (_table(f"{found['benchmark']} {kind} on {where}", rows) for kind, rows in kinds.items())
    counted = [Text(f"{name}: {len(found[name])}") for name in _LISTS if name in found]
    return Group(*tables, *counted)


def _row(result: dict[str, Any]) -> dict[str, Any]:
    """A result as columns: a column for each peer, with our time over its."""
    row = {name: figure for name, figure in result.items() if name not in _ONLY_JSON}
    ratios = {name: peer["ratio"] for name, peer in result.get("peers", {}).items()}
    return row | ratios | dict.fromkeys(result.get("left_out", ()), "too slow")


def _table(title: str, rows: list[dict[str, Any]]) -> Table:
    from rich.table import Table

    columns = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(title=title)
    for column in columns:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row.get(column, "")) for column in columns))
    return table


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {figure}" for name, figure in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
