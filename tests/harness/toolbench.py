"""ToolBench's memory for tests, made once for all processes of a session."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from filelock import FileLock

from memorepair_graphdb.evaluation.workloads import WORKLOADS
from tests.harness.places import DATA
from tests.harness.server import SESSION


def whole_memory() -> list[dict[str, Any]]:
    """Return the lines of the whole workload; whichever process asks first makes them, the others read them."""
    directory = Path(os.environ[SESSION])
    kept = directory / "toolbench.json"
    with FileLock(directory / "toolbench.lock"):
        if not kept.exists():
            kept.write_text(json.dumps(list(WORKLOADS["toolbench"](DATA / "toolbench"))), encoding="utf-8")
    lines: list[dict[str, Any]] = json.loads(kept.read_text(encoding="utf-8"))
    return lines
