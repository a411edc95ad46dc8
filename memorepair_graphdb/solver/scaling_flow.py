"""Computes the largest maximum closure for profits of any size, by capacity scaling.

Figures are Python integers; a solver that works in doubles is asked only what a double holds exactly.

On each scale the residual capacities are cut off at what can still flow, and divided by a power of two. What then flows
is added to the flow, and the next scale is finer, down to 1: the last cut is a minimum cut of the whole network.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .layers import Ints

Flow = Callable[[int, Ints, Ints, NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.bool_]]]
"""(nodes, tails, heads, capacities) → a maximum flow from the last node but one to the last, int64 for each arc; the
source's side of the minimum cut nearest the sink, bool for each node."""

_ROOM = 50
"""The capacities on one scale sum to less than 2 to this power."""


def closure_by_scaling(profit: list[int], needs: Ints, flow: Flow) -> NDArray[np.bool_]:
    """Return the largest optimal closure: bool[n], for n profits of any size and `needs` int64[m, 2]."""
    arcs = _Arcs(profit, needs)
    shift = max(0, sum(map(abs, profit)).bit_length() - _ROOM)
    while True:
        capacity = arcs.capacities(shift)
        found, near_source = flow(len(profit) + 2, arcs.tails, arcs.heads, capacity)
        if not shift:
            return near_source[:-2]
        arcs.push(found, shift)
        shift = arcs.clip(shift)


class _Arcs:
    """A residual network: from the source to the gains, from the losses to the sink, each need forth and back."""

    def __init__(self, profit: list[int], needs: Ints) -> None:
        source, sink = len(profit), len(profit) + 1
        gains = np.array([i for i, p in enumerate(profit) if p > 0], np.int64)
        losses = np.array([i for i, p in enumerate(profit) if p < 0], np.int64)
        self._needs = len(needs)
        self.tails = np.concatenate([np.full(gains.size, source), losses, needs[:, 1], needs[:, 0]])
        self.heads = np.concatenate([gains, np.full(losses.size, sink), needs[:, 0], needs[:, 1]])
        ends = [profit[i] for i in gains.tolist()] + [-profit[i] for i in losses.tolist()]
        self._left: NDArray[Any] = np.array(ends + [0] * self._needs, dtype=object)
        """what is left of each arc but the last ones, the needs forth, which have no end"""

    def capacities(self, shift: int) -> NDArray[np.int64]:
        finite = np.array([int(left) >> shift for left in self._left], np.int64)
        return np.concatenate([finite, np.full(self._needs, 1 + int(finite.sum()))])

    def push(self, found: NDArray[np.int64], shift: int) -> None:
        """Take what flows from what is left; what flows forth may flow back."""
        sent = np.array([int(units) << shift for units in found], dtype=object)
        self._left = self._left - sent[: self._left.size]
        if self._needs:
            self._left[-self._needs :] += sent[-self._needs :]

    def clip(self, shift: int) -> int:
        """Cut off what more than all that can still flow, and return the next shift."""
        most = (self._left.size << shift) + 1
        self._left = np.minimum(self._left, most)
        return min(shift - 1, max(0, (most * self._left.size).bit_length() - _ROOM))
