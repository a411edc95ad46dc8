"""Numbers the nodes of a graph of needs by level, its cycles contracted.

Levels come breadth-first, one numpy step a level; node by node where they are many and narrow.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .layers import Ints, Layers, Side, is_deep, ranges


def number_by_level(size: int, uses: Side) -> tuple[Ints, Layers]:
    """Return the layers of a graph, and for each of its `size` nodes its number there: int64[size].

    The nodes of a cycle share a number.
    """
    group, count = np.arange(size), size
    while True:
        order, ends, heads = _peel(count, uses) or _peel_singly(count, uses)
        if order.size == count:
            degree = np.bincount(uses.own, minlength=count)[order]
            number, layers = _number(order, ends, np.repeat(np.arange(count), degree), heads)
            return number[group], layers
        strong = _strong_components(count, uses)
        i, j = strong[uses.other], strong[uses.own]
        group, count, uses = strong[group], int(strong.max()) + 1, Side.of(j[i != j], i[i != j])


def _peel(size: int, uses: Side) -> tuple[Ints, list[int], Ints] | None:
    """Nodes level by level from what needs nothing, where each level ends, and their dependents in the same order.

    With a cycle, fewer than `size` nodes are there. None where levels are too many and too narrow for numpy.
    """
    waits = np.bincount(uses.other, minlength=size)
    ends = np.cumsum(np.bincount(uses.own, minlength=size))
    mark = np.zeros(size, np.int64)
    level = np.flatnonzero(waits == 0)
    levels, heads, done = [level], [uses.other[:0]], [level.size]
    while level.size:
        if is_deep(len(levels), done[-1]):
            return None
        users = uses.other[ranges(np.where(level > 0, ends[level - 1], 0), ends[level])]
        np.subtract.at(waits, users, 1)
        free = users[waits[users] == 0]
        mark[free] = np.arange(free.size)
        level = free[mark[free] == np.arange(free.size)]
        levels.append(level)
        heads.append(users)
        done.append(done[-1] + level.size)
    return np.concatenate(levels), done, np.concatenate(heads)


def _peel_singly(size: int, uses: Side) -> tuple[Ints, list[int], Ints]:
    """Return the same, node by node."""
    waits = np.bincount(uses.other, minlength=size).tolist()
    end = np.cumsum(np.bincount(uses.own, minlength=size))
    users, stops = uses.other.tolist(), [0, *end.tolist()]
    order = [node for node, count in enumerate(waits) if not count]
    done = [0]
    while done[-1] < len(order):
        begin = done[-1]
        done.append(len(order))
        for node in order[begin:]:
            for user in users[stops[node] : stops[node + 1]]:
                waits[user] -= 1
                if not waits[user]:
                    order.append(user)
    nodes = np.array(order, np.int64)
    return nodes, done[1:], uses.other[ranges(np.append(0, end)[nodes], end[nodes])]


def _number(order: Ints, ends: list[int], tails: Ints, heads: Ints) -> tuple[Ints, Layers]:
    """Number the nodes by level: `tails` has the new number of what `heads` need, ascending."""
    number = np.empty(order.size, np.int64)
    number[order] = np.arange(order.size)
    level = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    users = number[heads]
    return number, Layers(order.size, level, Side.of(users, tails), Side(tails, users))


def _strong_components(size: int, uses: Side) -> Ints:
    """Return the strongly connected component of each node, counted from 0: int64[size]."""
    ones = np.ones(uses.own.size, np.int8)
    matrix = coo_array((ones, (uses.own, uses.other)), shape=(size, size)).tocsr()
    strong: Ints = connected_components(matrix, directed=True, connection="strong")[1].astype(np.int64)
    return strong
