"""Compiles a second exact cutter with numba: the extra `fast`.

numba is imported when `compiled()` is called, not with this module: it is an extra, and takes seconds to import.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from .layers import Ints
from .reduction import Cutter


@cache
def compiled() -> Cutter:
    """Compile the cutter, once in a process; numba keeps it on disk too. Raises `ImportError` without numba."""
    kernel = import_module(".push_relabel", __package__)

    def cut(profit: NDArray[np.int64], needs: Ints) -> NDArray[np.bool_]:
        arcs = kernel.adjacent(profit.size, np.ascontiguousarray(needs[:, 0]), np.ascontiguousarray(needs[:, 1]))
        distance = kernel.drain(*arcs, np.maximum(profit, 0), np.maximum(-profit, 0))
        chosen: NDArray[np.bool_] = distance > profit.size
        return chosen

    cut(np.array([1, -1, 1]), np.array([[0, 1], [2, 1]]))
    return cut
