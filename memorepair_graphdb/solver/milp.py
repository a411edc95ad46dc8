"""Solves what is left of a budget problem as a small integer program with HiGHS.

A solution of HiGHS is rounded and checked in integers; its bound is trusted up to its tolerance.
"""

from __future__ import annotations

from math import floor, inf, isfinite
from typing import NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from .knapsack import Knapsack, Members

_TOLERANCE = 1e-12
"""relative: HiGHS works in doubles"""


class Solved(NamedTuple):
    """A solution, None where none was found, and a bound for every one."""

    chosen: Members | None
    bound: int


class _Quiet(highspy.Highs):
    """HiGHS that prints nothing: its constructor greets on standard output, unless told not to in its midst."""

    def enableCallbacks(self) -> None:
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]


def solve(task: Knapsack, warm: Members | None, time_limit: float, slack: float) -> Solved:
    """Solve the knapsack for at most `time_limit` seconds, from a known solution, to a gap of `slack` in gain."""
    size = task.gain.size
    if not size:
        return Solved(np.zeros(0, np.bool_), 0)
    solver = _Quiet()  # type: ignore[no-untyped-call]
    for option, setting in (
        ("time_limit", max(0.01, time_limit)),
        ("mip_abs_gap", slack),
        ("mip_rel_gap", 0.0),
    ):
        solver.setOptionValue(option, setting)
    solver.passModel(_model(task))
    if warm is not None:
        start = highspy.HighsSolution()
        start.col_value = warm.astype(np.float64).tolist()
        solver.setSolution(start)
    solver.run()
    found = np.array(solver.getSolution().col_value) > 0.5
    return Solved(found if found.size == size else None, _whole(solver.getInfo().mip_dual_bound, task))


def _whole(bound: float, task: Knapsack) -> int:
    """Return the integer that no solution exceeds; all gains where HiGHS has no bound yet."""
    most = int(np.maximum(task.gain, 0).sum())
    return min(most, floor(bound + _TOLERANCE * abs(bound) + 1e-6)) if isfinite(bound) else most


def _model(task: Knapsack) -> highspy.HighsLp:
    """Write each need as a row x_i − x_j ≤ 0, the budget as the last one."""
    needs, size = task.layers.needs, task.gain.size
    rows = needs.own.size
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = size, rows + 1
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = task.gain.astype(np.float64)
    model.col_lower_, model.col_upper_ = np.zeros(size), np.ones(size)
    model.row_lower_ = np.full(rows + 1, -inf)
    model.row_upper_ = np.append(np.zeros(rows), float(task.budget))
    model.integrality_ = [highspy.HighsVarType.kInteger] * size
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.append(np.arange(rows + 1) * 2, 2 * rows + size).astype(np.int32)
    pairs: NDArray[np.int64] = np.stack([needs.own, needs.other], axis=1)
    model.a_matrix_.index_ = np.concatenate([pairs.ravel(), np.arange(size)]).astype(np.int32)
    signs = np.tile(np.array([1.0, -1.0]), rows)
    model.a_matrix_.value_ = np.concatenate([signs, task.cost.astype(np.float64)])
    return model
