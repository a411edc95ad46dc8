"""Shows the frontier of an event: a table of its knees, a drawing, a page, or the points as a file.

matplotlib is imported when it draws.
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
from .text import indent, open_table

if TYPE_CHECKING:
    from ...model.frontier import FrontierPoint, FrontierReport

_INCHES = (7.0, 4.4)
_COLUMNS = ("λ", "selected", "value", "cost")


def check(path: Path) -> None:
    """Raise `BadInput`, before anything is read, where `draw` could not draw to that path."""
    files.check(path, _WRITERS, "the frontier")


def draw(report: FrontierReport, path: Path) -> None:
    """Write the frontier in the form that the name of the file asks for."""
    _WRITERS[path.suffix](report, path)


def render_frontier(report: FrontierReport) -> Group:
    """Render the knees, the λ that is marked, and what repairing all would be."""
    subject = f"event {report.event_id}" if report.event_id else "what that event would be; nothing is written"
    n = len(report.points)
    head = Text.assemble(("Frontier", "bold"), f" of {subject}: {n} breakpoint{'s'[: n != 1]}.")
    table = open_table(*_COLUMNS, "", right=_COLUMNS)
    for point, mark in _rows(report):
        table.add_row(*_cells(point), Text(mark, "bold green"))
    return Group(head, indent(table))


def _rows(report: FrontierReport) -> list[tuple[FrontierPoint, str]]:
    rows = [(point, "") for point in report.knees]
    rows.append((report.chosen, f"λ = {report.tradeoff}"))
    rows.sort(key=lambda row: (-row[0].tradeoff, row[1]))
    return [*rows, (report.everything, "repair all")]


def _cells(point: FrontierPoint) -> tuple[str, str, str, str]:
    return f"{point.tradeoff:.4g}", str(point.candidates), f"{point.value:.6g}", f"{point.cost:.6g}"


def _write_points(report: FrontierReport, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("tradeoff", "candidates", "value", "cost"))
        writer.writerows((p.tradeoff, p.candidates, p.value, p.cost) for p in report.points)


def _write_drawing(report: FrontierReport, path: Path) -> None:
    _figure(report).savefig(path, dpi=150)


def _write_page(report: FrontierReport, path: Path) -> None:
    drawn = io.StringIO()
    _figure(report).savefig(drawn, format="svg")
    rows = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(point))}<td>{html.escape(mark)}</td></tr>"
        for point, mark in _rows(report)
    )
    title = html.escape(f"Frontier of event {report.event_id}" if report.event_id else "Frontier of an event to come")
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


def _figure(report: FrontierReport) -> Any:
    """Draw recovered value against cost, λ marked."""
    figure = import_module("matplotlib.figure").Figure(_INCHES, layout="tight")
    axes = figure.subplots()
    axes.plot([0.0, *(p.cost for p in report.points)], [0.0, *(p.value for p in report.points)], linewidth=1.5)
    axes.plot([p.cost for p in report.knees], [p.value for p in report.knees], "o", color="C0", markersize=4)
    axes.plot([report.everything.cost], [report.everything.value], "s", color="grey", label="repair all")
    axes.plot(
        [report.chosen.cost], [report.chosen.value], "o", color="C3", markersize=8, label=f"λ = {report.tradeoff}"
    )
    axes.set_xlabel("cost of what is selected (tokens)")
    axes.set_ylabel("value recovered")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.25)
    axes.legend(loc="lower right", frameon=False)
    return figure


_WRITERS: dict[str, Callable[[FrontierReport, Path], None]] = {
    ".png": _write_drawing,
    ".svg": _write_drawing,
    ".html": _write_page,
    ".csv": _write_points,
}
