"""The ratios of `memorepair bench selection` as a picture.

The law of the room: it shows what is in the results and computes nothing; matplotlib is imported when it draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ...errors import BadInput
from . import files

SUFFIXES = (".png", ".svg")

_INCHES = (9.0, 1.6)
_PER_ROW = 0.34


def check(path: Path, benchmark: str) -> None:
    """Raise `BadInput`, before anything is measured, where `draw` could not draw that benchmark to that path."""
    if benchmark != "selection":
        raise BadInput(f"there is a picture of selection, not of {benchmark}")
    files.check(path, SUFFIXES, "a benchmark")


def draw(results: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw ours over theirs for each result that has peers, a row each, on a logarithmic scale; 1 is a dead heat."""
    rows = [result for result in results if result.get("peers")]
    names = sorted({name for row in rows for name in row["peers"]})
    figure = import_module("matplotlib.figure").Figure((_INCHES[0], _INCHES[1] + _PER_ROW * len(rows)), layout="tight")
    axes = figure.subplots()
    for name in names:
        _mark(axes, name, [(place, row["peers"][name]) for place, row in enumerate(rows) if name in row["peers"]])
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
    axes.errorbar(middle, [place for place, _ in beside], xerr=(below, above), fmt="o", capsize=2, label=name)
