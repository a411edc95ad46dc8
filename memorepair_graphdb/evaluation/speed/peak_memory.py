"""Measures how much memory a closure takes above its inputs, seen from outside numpy.

A process of its own for each figure, since a peak never falls; Linux tells it, others do not.
"""

from __future__ import annotations

import re
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...solver.closure import maximum_closure

_STATUS = Path("/proc/self/status")


def peak_mib(profit: NDArray[np.int64], requires: NDArray[np.int64]) -> int | None:
    """MiB that one closure needed at most, above the interpreter with the inputs; None where the system is silent."""
    if not _STATUS.exists():
        return None
    with tempfile.TemporaryDirectory() as directory, ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for name, array in (("profit", profit), ("requires", requires)):
            np.save(Path(directory, name), array)
        return pool.submit(_measure, directory).result()


def _measure(directory: str) -> int:
    """Read the inputs in the child, which leaves no peak of its own, and solve."""
    profit, requires = (np.load(Path(directory, f"{name}.npy")) for name in ("profit", "requires"))
    maximum_closure(np.array([1, -1]), np.array([[0, 1]]))  # whatever is loaded on first use
    before = _kib("VmRSS")
    maximum_closure(profit, requires)
    return max(0, _kib("VmHWM") - before) // 1024


def _kib(field: str) -> int:
    found = re.search(rf"^{field}:\s+(\d+) kB", _STATUS.read_text(), re.MULTILINE)
    if found is None:
        raise RuntimeError(f"{_STATUS} does not say {field}")
    return int(found[1])
