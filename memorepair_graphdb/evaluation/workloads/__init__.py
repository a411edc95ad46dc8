"""Lists real data sets that can be loaded as memories, by name.

A workload takes a directory, copies nothing of it into the project, and yields the same wire-format lines (design,
section 9) in the same order on every machine; what it had to synthesise says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .toolbench import toolbench

WORKLOADS: dict[str, Callable[[Path], Iterator[dict[str, Any]]]] = {"toolbench": toolbench}
"""Name → a function of the data's directory that yields the memory's lines; a wrong directory raises `BadInput`."""
