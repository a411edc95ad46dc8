"""The frontier of an event for people: a table of its knees, a drawing, a page, or the points as a file.

The law of the room: it shows what is in the report and computes nothing; matplotlib is imported when it draws.
"""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from . import files
from .tables import indented, table

if TYPE_CHECKING:
    from ...model.frontier import FrontierPoint, FrontierReport

_INCHES = (7.0, 4.4)
_COLUMNS = ("λ", "selected", "value", "cost")


def check(path: Path) -> None:
    """Raise `BadInput`, before anything is read, where `draw` could not draw to that path."""
    files.check(path, _WRITERS, "the frontier")


def draw(found: FrontierReport, path: Path) -> None:
    """Write the frontier in the form that the name of the file asks for."""
    _WRITERS[path.suffix](found, path)


def picture(found: FrontierReport) -> Group:
    """The knees, the λ that is marked, and what repairing all would be."""
    about = f"event {found.event_id}" if found.event_id else "what that event would be; nothing is written"
    n = len(found.points)
    head = Text.assemble(("Frontier", "bold"), f" of {about}: {n} breakpoint{'s'[: n != 1]}.")
    made = table(*_COLUMNS, "", right=_COLUMNS)
    for point, mark in _rows(found):
        made.add_row(*_cells(point), Text(mark, "bold green"))
    return Group(head, indented(made))


def _rows(found: FrontierReport) -> list[tuple[FrontierPoint, str]]:
    rows = [(point, "") for point in found.knees]
    rows.append((found.chosen, f"λ = {found.tradeoff}"))
    rows.sort(key=lambda row: (-row[0].tradeoff, row[1]))
    return [*rows, (found.everything, "repair all")]


def _cells(point: FrontierPoint) -> tuple[str, str, str, str]:
    return f"{point.tradeoff:.4g}", str(point.candidates), f"{point.value:.6g}", f"{point.cost:.6g}"


def _write_points(found: FrontierReport, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("tradeoff", "candidates", "value", "cost"))
        writer.writerows((p.tradeoff, p.candidates, p.value, p.cost) for p in found.points)


def _write_picture(found: FrontierReport, path: Path) -> None:
    _figure(found).savefig(path, dpi=150)


def _write_page(found: FrontierReport, path: Path) -> None:
    drawn = io.StringIO()
    _figure(found).savefig(drawn, format="svg")
    rows = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(point))}<td>{html.escape(mark)}</td></tr>"
        for point, mark in _rows(found)
    )
    title = html.escape(f"Frontier of event {found.event_id}" if found.event_id else "Frontier of an event to come")
    svg = drawn.getvalue()
    path.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:52em;margin:2em auto;padding:0 1em}"
        "svg{width:100%;height:auto}td,th{padding:.15em 1em .15em 0;text-align:right;font-variant-numeric:tabular-nums}"
        "td:last-child{text-align:left;font-weight:600}</style>"
        f"<h1>{title}</h1>{svg[svg.index('<svg') :]}"
        f"<table><tr>{''.join(f'<th>{name}</th>' for name in _COLUMNS)}<th></th></tr>{rows}</table></html>\n",
        encoding="utf-8",
    )


def _figure(found: FrontierReport) -> Any:
    """Recovered value against cost, λ marked."""
    figure = import_module("matplotlib.figure").Figure(_INCHES, layout="tight")
    axes = figure.subplots()
    axes.plot([0.0, *(p.cost for p in found.points)], [0.0, *(p.value for p in found.points)], linewidth=1.5)
    axes.plot([p.cost for p in found.knees], [p.value for p in found.knees], "o", color="C0", markersize=4)
    axes.plot([found.everything.cost], [found.everything.value], "s", color="grey", label="repair all")
    axes.plot([found.chosen.cost], [found.chosen.value], "o", color="C3", markersize=8, label=f"λ = {found.tradeoff}")
    axes.set_xlabel("cost of what is selected (tokens)")
    axes.set_ylabel("value recovered")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.25)
    axes.legend(loc="lower right", frameon=False)
    return figure


_WRITERS: dict[str, Callable[[FrontierReport, Path], None]] = {
    ".png": _write_picture,
    ".svg": _write_picture,
    ".html": _write_page,
    ".csv": _write_points,
}
