"""Shows what a benchmark measured: tables for a terminal, and the ratios to other solvers as a picture.

matplotlib is imported when it draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from . import files

SUFFIXES = (".png", ".svg")

_LISTS = ("leaks", "violations")
"""What `repairs` lists in JSON: a person gets how many."""
_ONLY_JSON = ("measure", "peers", "left_out", "needs", "tradeoff", "rounds")
"""What would make a table too wide, or stands in it otherwise."""

_INCHES = (9.0, 1.6)
_PER_ROW = 0.34


def render_benchmark(result: dict[str, Any]) -> Group:
    """Return a table for each kind of row, and the lengths of the lists."""
    where = f"{result['server']}, {result['machine']}" if "server" in result else result["machine"]
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in result["results"]:
        kinds.setdefault(row.get("measure", ""), []).append(_columns(row))
    tables = (_table(f"{result['benchmark']} {kind} on {where}", rows) for kind, rows in kinds.items())
    lengths = [Text(f"{name}: {len(result[name])}") for name in _LISTS if name in result]
    return Group(*tables, *lengths)


def check(path: Path) -> None:
    """Raise `BadInput`, before anything is measured, where `draw` could not draw to that path."""
    files.check(path, SUFFIXES, "a benchmark")


def draw(results: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw ours over theirs for each result that has peers, a row each, on a logarithmic scale; 1 is a dead heat."""
    rows = [result for result in results if result.get("peers")]
    names = sorted({name for row in rows for name in row["peers"]})
    figure = import_module("matplotlib.figure").Figure((_INCHES[0], _INCHES[1] + _PER_ROW * len(rows)), layout="tight")
    axes = figure.subplots()
    for name in names:
        _mark(axes, name, [(index, row["peers"][name]) for index, row in enumerate(rows) if name in row["peers"]])
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [f"{row['measure']}: {row['instance']} {row['size']:,}" for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("our time over theirs, median and range of paired runs (left of 1: we are faster)")
    if names:
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(path)


def _mark(axes: Any, name: str, beside: Sequence[tuple[int, dict[str, float]]]) -> None:
    """One peer's median ratios, with the range of their rounds as a line."""
    middle = [figures["ratio"] for _, figures in beside]
    below = [figures["ratio"] - figures["ratio_min"] for _, figures in beside]
    above = [figures["ratio_max"] - figures["ratio"] for _, figures in beside]
    axes.errorbar(middle, [index for index, _ in beside], xerr=(below, above), fmt="o", capsize=2, label=name)


def _columns(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row by its columns: one for each other solver, with our time over its."""
    columns = {name: figure for name, figure in row.items() if name not in _ONLY_JSON}
    ratios = {name: peer["ratio"] for name, peer in row.get("peers", {}).items()}
    return columns | ratios | dict.fromkeys(row.get("left_out", ()), "too slow")


def _table(title: str, rows: list[dict[str, Any]]) -> Table:
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
