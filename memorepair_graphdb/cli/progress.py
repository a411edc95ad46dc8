"""Draws bars for people who wait, on standard error; nothing where that is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .output import console

Report = Callable[[str, int, int], None]
"""(step, done, of)"""

WORDS = {
    "upgrade": "Making texts searchable",
    "load": "Loading",
    "export": "Exporting",
    "plan": "Planning",
    "execute": "Rebuilding and validating",
}


@contextmanager
def progress(doing: str) -> Iterator[Report]:
    """Draw one bar: it pulses as `doing` until the first step is reported, and follows the steps from then on."""
    if not sys.stderr.isatty():
        yield _ignore
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[amount]}"), TimeElapsedColumn())
    with Progress(*columns, console=console(error=True), transient=True) as bars:
        bar = bars.add_task(doing, total=None, amount="")

        def report(step: str, done: int, of: int) -> None:
            bars.update(bar, description=WORDS.get(step, step), completed=done, total=of, amount=f"{done} of {of}")

        yield report


def _ignore(step: str, done: int, of: int) -> None:
    """Take progress that nobody watches."""
