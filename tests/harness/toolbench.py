"""ToolBench's memory for tests: the whole of it, made once for all processes of a session, or a part of its tasks."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

from filelock import FileLock

from memorepair_graphdb.evaluation.workloads import WORKLOADS
from memorepair_graphdb.evaluation.workloads.toolbench_files import QUERIES, TRAJECTORIES
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


def lay_down_part(directory: Path, group: str) -> Path:
    """Make a directory of data in which ToolBench has the tasks of one group; the other data sets are linked."""
    part = directory / "toolbench"
    (part / QUERIES).mkdir(parents=True)
    tasks = gzip.decompress((DATA / "toolbench" / QUERIES / f"{group}.json.gz").read_bytes())
    (part / QUERIES / f"{group}.json").write_bytes(tasks)
    for trajectories in TRAJECTORIES:
        place = part / trajectories
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(DATA / "toolbench" / trajectories)
    for other in DATA.iterdir():
        if other.name != "toolbench":
            (directory / other.name).symlink_to(other)
    return directory
