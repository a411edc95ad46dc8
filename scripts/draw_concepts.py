"""Draws the picture of docs/concepts.md: a memory before an event, behind its barrier, and after its repair.

python scripts/draw_concepts.py [FILE]      writes docs/images/repair.svg, or FILE (.svg or .png)
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams.update({"svg.hashsalt": "memorepair", "svg.fonttype": "none", "font.family": "DejaVu Sans"})

from matplotlib.figure import Figure  # noqa: E402 - after the choice of backend

OUT = Path(__file__).parent.parent / "docs" / "images" / "repair.svg"

AT = {"msg/1": (0.0, 3.0), "msg/2": (2.0, 3.0), "summary/1": (0.4, 1.75), "note/1": (2.0, 1.75), "digest/1": (1.0, 0.5)}
EDGES = [("msg/1", "summary/1"), ("msg/2", "summary/1"), ("msg/2", "note/1"), ("summary/1", "digest/1")]
STYLES: dict[str, dict[str, Any]] = {
    "Visible": {"facecolor": "#c6dbef", "edgecolor": "#08306b", "linewidth": 1.8},
    "Withdrawn": {"facecolor": "white", "edgecolor": "#666666", "linewidth": 1.4, "linestyle": (0, (4, 3))},
    "Retired": {"facecolor": "#e6e6e6", "edgecolor": "#999999", "linewidth": 1.0},
}
PANELS = [
    (
        "before",
        "Everything is in service.\nmsg/1 is to be deleted.",
        dict.fromkeys(AT, "Visible"),
        {},
    ),
    (
        "behind the barrier",
        "One transaction later: msg/1 is history,\nwhat was made from it is out of service.",
        {
            "msg/1": "Retired",
            "msg/2": "Visible",
            "summary/1": "Withdrawn",
            "note/1": "Visible",
            "digest/1": "Withdrawn",
        },
        {},
    ),
    (
        "after the repair",
        "summary/1 is built again from msg/2 and checked.\ndigest/1 was not worth its cost: it stays out.",
        {"msg/1": "Retired", "msg/2": "Visible", "summary/1": "Visible", "note/1": "Visible", "digest/1": "Withdrawn"},
        {"summary/1": "version 2", "digest/1": "not_selected", "msg/1": "removed"},
    ),
]


def draw(path: Path) -> None:
    """Draw the three panels side by side."""
    figure = Figure(figsize=(11, 4.1), layout="tight")
    for number, (title, text, states, notes) in enumerate(PANELS, start=1):
        axes = figure.add_subplot(1, 3, number)
        axes.set_axis_off()
        axes.set_xlim(-0.75, 2.75)
        axes.set_ylim(-0.75, 3.6)
        axes.set_title(title, fontsize=12, fontweight="bold")
        for source, target in EDGES:
            if number == 3 and source == "msg/1":
                continue  # the new version was not made from it
            live = all(states[end] == "Visible" for end in (source, target))
            axes.annotate(
                "",
                AT[target],
                AT[source],
                arrowprops={
                    "arrowstyle": "-|>",
                    "color": "#08306b" if live else "#999999",
                    "linewidth": 1.2,
                    "shrinkA": 22,
                    "shrinkB": 31,
                },
            )
        for key, (x, y) in AT.items():
            state = states[key]
            note = f"\n{notes[key]}" if key in notes else ""
            axes.text(
                x,
                y,
                f"{key}\n{state}{note}",
                ha="center",
                va="center",
                fontsize=8.5,
                color="black" if state == "Visible" else "#555555",
                bbox={"boxstyle": "round,pad=0.5", **STYLES[state]},
            )
        axes.text(1.0, -0.45, text, ha="center", va="center", fontsize=9)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=110)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else OUT)
