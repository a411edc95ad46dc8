"""Makes the pieces of what commands print for people: styled words, tables, counts, lists that are cut.

A text of the memory can hold markup or codes that steer a terminal: `words` takes both out, so every such text goes
through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...model.vocabulary import Outcome
from ..output import plain

ROWS = 60
"""Rows of a table that a person gets; `--json` has them all."""

STYLES: dict[Outcome, str] = {
    Outcome.PUBLISHED: "green",
    Outcome.REPLACED: "green",
    Outcome.REMOVED: "yellow",
    Outcome.PENDING: "blue",
    Outcome.NOT_SELECTED: "magenta",
    Outcome.NOT_EXECUTABLE: "magenta",
    Outcome.REJECTED: "red",
    Outcome.OPERATOR_FAILED: "red",
    Outcome.PREDECESSOR_MISSING: "red",
    Outcome.CONFLICT: "red",
}
"""outcome → its colour, for every outcome, in the order in which a person gets them"""
ORDER = tuple(STYLES)


def words(text: object, style: str = "") -> Text:
    """Return a text without control characters and markup, in a style."""
    return Text(plain(str(text)), style=style)


def style_outcome(outcome: Outcome) -> Text:
    """Return the name of an outcome in its colour."""
    return Text(outcome.value, STYLES[outcome])


def open_table(*columns: str, right: Sequence[str] = (), last: str = "") -> Table:
    """Return a table without a frame: columns that keep their width, and a `last` one that wraps in the rest of it."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    if last:
        table.add_column(last, overflow="fold", ratio=1)
    return table


def indent(content: RenderableType) -> Padding:
    """Move two columns to the right, with a blank line above."""
    return Padding(content, (1, 0, 0, 2), expand=False)


def list_counts(counts: Mapping[str, int]) -> Text:
    """Return `published 3 · removed 1`, in the order of `STYLES`; a name that is no outcome comes last."""
    order = sorted(counts.items(), key=lambda pair: (ORDER.index(pair[0]) if pair[0] in ORDER else len(ORDER), pair[0]))
    return Text(" · ").join(Text(f"{name} {n}", STYLES[Outcome(name)] if name in ORDER else "") for name, n in order)


def shorten(rows: Sequence[Any], most: int = ROWS) -> tuple[Sequence[Any], list[Text]]:
    """Return at most `most` rows, and a line that says how many more there are."""
    more = len(rows) - most
    return rows[:most], [Text(f"… and {more} more; --json has them all", "dim")] if more > 0 else []


def bullets(head: str, lines: Iterable[str]) -> list[Text]:
    """Return a head, and a line each below it."""
    return [Text(head), *(words(f"  · {line}") for line in lines)]
