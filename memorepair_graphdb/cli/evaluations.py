"""The measurements of quality, for the command that measures.

The law of the room: what is written for a measurement is swept away afterwards.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from ..evaluation.quality.catalogue import ALONE, REPAIRS
from .output import note


def evaluate(name: str, data: Path | None, size: int | None) -> dict[str, Any]:
    """One of `evaluation.catalogue.NAMES`: its rows, and the machine."""
    rows, more = (ALONE[name](data, size, note), {}) if name in ALONE else _repairs(data, size)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return {"benchmark": name, "machine": machine, "results": rows, **more}


def _repairs(data: Path | None, size: int | None) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    from ..api import MemoRepair
    from ..evaluation.quality.catalogue import needed
    from ..evaluation.quality.repairs import run
    from ..evaluation.speed.synthetic_memory import swept

    note("reading the memory of ToolBench; its contents are made by the operators")
    what = run.setting(needed(data, REPAIRS), each=size or run.EACH)
    with (
        MemoRepair.from_env(space=f"evaluation_{os.getpid()}", registry=what.world.registry) as memory,
        swept(memory.transactions, memory.space),
    ):
        memory.setup()
        note(f"loading {len(what.lines)} artifacts")
        memory.load(what.lines)
        found = run.run(memory, what, note)
    rows = [
        {"measure": measure, name: of, **figures}
        for measure, name in (("by_kind", "kind"), ("by_operator", "operator"), ("estimates", "operator"))
        for of, figures in found.pop(measure).items()
    ]
    return rows, found
