"""The real data of the workloads: MEMOREPAIR_DATA, else `shared/data` beside the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.harness.places import DATA
from tests.harness.toolbench import whole_memory


@pytest.fixture(scope="session")
def data() -> Path:
    """Give the directory that holds each data set in a directory of its own."""
    return DATA


@pytest.fixture(scope="session")
def toolbench_lines() -> list[dict[str, Any]]:
    """Give ToolBench's lines; not to be changed."""
    return whole_memory()
