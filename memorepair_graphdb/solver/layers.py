"""Holds a graph of needs with its nodes numbered by level, both ways round, for sweeps.

Keeping some of the nodes of a `Layers`, or merging them, makes another, with levels as valid as before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Ints = NDArray[np.int64]

BITS = 31
"""Two node numbers are packed into one int64, so that one sort orders the edges."""

_FLAT, _NARROW = 64, 16


def is_deep(levels: int, nodes: int) -> bool:
    """Say whether levels are so many and narrow that a numpy step for each costs more than going node by node."""
    return levels > _FLAT and levels * _NARROW > nodes


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The edges seen from one end: `own` ascends (both are int64[m])."""

    own: Ints
    other: Ints

    @classmethod
    def of(cls, own: Ints, other: Ints) -> Side:
        """Sort the edges, and keep each once."""
        packed = (own << BITS) | other
        packed.sort()
        fresh = packed[1:] != packed[:-1]
        if not fresh.all():
            packed = packed[np.concatenate([np.ones(1, np.bool_), fresh])]
        return cls(packed >> BITS, packed & ((1 << BITS) - 1))

    def starts(self) -> Ints:
        """Return where each own begins: int64[number of owns that have an edge]."""
        if not self.own.size:
            return np.zeros(0, np.int64)
        return np.concatenate([np.zeros(1, np.int64), np.flatnonzero(self.own[1:] != self.own[:-1]) + 1])

    def beside(self, nodes: Ints) -> Ints:
        """Return the other ends of all edges of `nodes`, which ascend."""
        return self.other[ranges(np.searchsorted(self.own, nodes), np.searchsorted(self.own, nodes, "right"))]

    def parted(self, label: NDArray[Any]) -> Side:
        """Return the edges between equal labels."""
        same = label[self.own] == label[self.other]
        return Side(self.own[same], self.other[same])

    def kept(self, keep: NDArray[np.bool_], number: Ints) -> Side:
        """Return the edges with both ends kept, in new numbers that keep the order; -1 for what is not kept."""
        inside = np.flatnonzero(keep[self.own])
        other = number[self.other[inside]]
        both = np.flatnonzero(other >= 0)
        return Side(number[self.own[inside[both]]], other[both])


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """One direction of sweeping: level by level, rows of nodes, each with the nodes that flow into it."""

    rows: Ints
    """the nodes into which anything flows, level by level from below"""
    starts: Ints
    """for each row: where its sources begin, counted from the beginning of its level's, or of all"""
    sources: Ints
    bounds: list[tuple[int, int, int, int]] | None
    """for each level, in the order of sweeping: the range of rows, and of sources; None: to be swept node by node"""
    falling: bool


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Nodes 0 to `size` - 1; whoever needs has a higher level than what it needs.

    `level` is int64[size], ascending with the node's number. `needs` has the edges by the node that needs, `uses` by
    the node that is needed.
    """

    size: int
    level: Ints
    needs: Side
    uses: Side

    @property
    def edges(self) -> Ints:
        """int64[m, 2], rows (i, j): i needs j."""
        return np.stack([self.needs.own, self.needs.other], axis=1)

    def blocks(self) -> Ints:
        """Return the weak component of each node, counted from 0: int64[size]."""
        return parts(self.size, self.needs.own, self.needs.other)

    def upward(self) -> Steps:
        """From what needs nothing to the top: what a node needs flows into it."""
        return self._steps(self.needs, falling=False)

    def downward(self) -> Steps:
        """From the top down: what needs a node flows into it."""
        return self._steps(self.uses, falling=True)

    def _steps(self, side: Side, falling: bool) -> Steps:
        starts = side.starts()
        rows = side.own[starts]
        level = self.level[rows]
        firsts = np.flatnonzero(level != np.concatenate([np.full(min(1, level.size), -1), level[:-1]]))
        if is_deep(firsts.size, rows.size):
            return Steps(rows, starts, side.other, None, falling)
        row_ends, edge_ends = np.append(firsts, rows.size), np.append(starts[firsts], side.own.size)
        local = starts - np.repeat(edge_ends[:-1], np.diff(row_ends))
        ends = (row_ends.tolist(), edge_ends.tolist())
        bounds = list(zip(ends[0][:-1], ends[0][1:], ends[1][:-1], ends[1][1:], strict=True))
        return Steps(rows, local, side.other, bounds[::-1] if falling else bounds, falling)

    def kept(self, keep: NDArray[np.bool_]) -> Layers:
        """Return the part among the kept nodes, which keep their order and levels."""
        number = np.where(keep, np.cumsum(keep) - 1, -1)
        level = self.level[keep]
        return Layers(level.size, level, self.needs.kept(keep, number), self.uses.kept(keep, number))

    def parted(self, label: NDArray[Any]) -> Layers:
        """Return the same nodes, without the edges between different labels."""
        return Layers(self.size, self.level, self.needs.parted(label), self.uses.parted(label))

    def merged(self, group: Ints, size: int, roots: Ints) -> Layers:
        """Return the graph of `size` groups: `group` is each node's; they have the levels of `roots`, which ascend."""
        i, j = group[self.needs.own], group[self.needs.other]
        apart = i != j
        i, j = i[apart], j[apart]
        needs = Side.of(i, j)
        uses = Side.of(needs.other, needs.own)
        return Layers(size, self.level[roots], needs, uses)


def ranges(begin: Ints, end: Ints) -> Ints:
    """Return the numbers from each begin to its end, one range after the other."""
    count = end - begin
    shift = begin - np.concatenate([np.zeros(min(1, count.size), np.int64), np.cumsum(count)[:-1]])
    return np.repeat(shift, count) + np.arange(int(count.sum()))


def parts(size: int, tails: Ints, heads: Ints) -> Ints:
    """Return the weak component of each of `size` nodes, counted from 0: int64[size]."""
    matrix = coo_array((np.ones(tails.size, np.int8), (tails, heads)), shape=(size, size))
    part: Ints = connected_components(matrix.tocsr(), directed=False)[1].astype(np.int64)
    return part
