"""The measurements of quality by name: what they need, and their rows.

The law of the room: a measurement takes a directory of data, or none, and gives rows that JSON can hold.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...errors import BadInput

Tell = Callable[[str], None]
Row = dict[str, Any]


def faults(data: Path | None, size: int | None, tell: Tell) -> list[Row]:
    """Seeded faults of each class, `size` of each, and how many pass the form, the questions, everything."""
    from .faults.table import COUNT, run

    return [{"measure": "false passes", **row} for row in run(count=size or COUNT, tell=tell)]


def residue(data: Path | None, size: int | None, tell: Tell) -> list[Row]:
    """Leaks planted in ToolBench's text, `size` of them, and as many clean texts: how many are refused."""
    from .residue.measure import LEAKS, measure

    tell("reading the memory of ToolBench")
    rows = measure(needed(data, "residue") / "toolbench", part=(size or LEAKS) / LEAKS)
    return [{"measure": "residue", **row._asdict(), "share": round(row.share, 4)} for row in rows]


def forgetting(data: Path | None, size: int | None, tell: Tell) -> list[Row]:
    """Ways to forget rows of a selector, on a shard of MetaTool with `size` classes."""
    from ...operators.embedding.minilm import best_features
    from .forgetting.measure import measure

    tell("reading the requests of MetaTool")
    found = measure(needed(data, "forgetting") / "metatool", best_features(), classes=size or 20)
    ways = found.pop("ways")
    about = {name: value for name, value in found.items() if not isinstance(value, dict | list)}
    return [{"measure": "forgetting", **about, "way": way, **figures} for way, figures in ways.items()]


ALONE: dict[str, Callable[[Path | None, int | None, Tell], list[Row]]] = {
    "faults": faults,
    "residue": residue,
    "forgetting": forgetting,
}
"""without a server"""
REPAIRS = "repairs"
"""on a server: 20 deletions, corrections and migrations each (`repairs.run`)"""
NAMES = (*ALONE, REPAIRS)


def needed(data: Path | None, name: str) -> Path:
    """The directory, which this measurement cannot do without; raises `BadInput` where it is not given."""
    if data is None:
        raise BadInput(f"{name} needs --data DIR: the directory with the real workloads")
    return data
