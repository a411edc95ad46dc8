"""Checks where a drawing can go, before anything is read or measured.

matplotlib is looked for without importing it: `frontier` and `benchmarks` import it when they draw.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path

from ...errors import BadInput

PICTURES = frozenset({".png", ".svg", ".html"})
"""suffixes of what matplotlib draws"""


def check(path: Path, suffixes: Collection[str], what: str) -> None:
    """Raise `BadInput` where `what` cannot be drawn to that path: its name, its directory, or no matplotlib."""
    if path.suffix not in suffixes:
        raise BadInput(f"{what} is drawn to {', '.join(suffixes)}, not {path.name!r}")
    if not path.parent.is_dir():
        raise BadInput(f"there is no directory {str(path.parent)!r}")
    if path.suffix in PICTURES and find_spec("matplotlib") is None:
        instead = "; --out x.csv does without" if ".csv" in suffixes else ""
        raise BadInput(f"a drawing needs matplotlib: pip install 'memorepair-graphdb[plot]'{instead}")
