"""Cuts by highest-label push-relabel on int64, compiled by numba; imported by `compiled` alone.

Arrays are changed in place.

Only the first phase is needed: when no node with excess reaches the sink any more, what does not reach it is the
largest optimal closure. Needs have no capacity; what was sent along a need may flow back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])


def _fast(function: Function) -> Function:
    return cast("Function", numba.njit(cache=True, nogil=True)(function))


@_fast
def adjacent(size: int, i: Any, j: Any) -> tuple[Any, Any, Any, Any]:
    """Return the arcs of each node, forth (to what it needs) and back.

    Where they begin, their heads, partners, and which.
    """
    begins = np.zeros(size + 1, np.int64)
    for edge in range(i.size):
        begins[i[edge] + 1] += 1
        begins[j[edge] + 1] += 1
    for node in range(size):
        begins[node + 1] += begins[node]
    free = begins[:-1].copy()
    heads, partner = np.empty(2 * i.size, np.int64), np.empty(2 * i.size, np.int64)
    forth = np.zeros(2 * i.size, np.bool_)
    for edge in range(i.size):
        a, b = free[i[edge]], free[j[edge]]
        free[i[edge]] += 1
        free[j[edge]] += 1
        heads[a], heads[b] = j[edge], i[edge]
        partner[a], partner[b] = b, a
        forth[a] = True
    return begins, heads, partner, forth


@_fast
def _measure(begins: Any, heads: Any, partner: Any, forth: Any, sent: Any, room: Any, distance: Any, queue: Any) -> int:
    """Distances afresh, breadth-first from the sink; how many nodes reach it: they are in `queue`, nearest first."""
    far = distance.size + 1
    distance[:] = far
    done = count = 0
    for u in range(room.size):
        if room[u] > 0:
            distance[u] = 1
            queue[count] = u
            count += 1
    while done < count:
        v = queue[done]
        done += 1
        for arc in range(begins[v], begins[v + 1]):
            u = heads[arc]
            if distance[u] == far and (forth[partner[arc]] or sent[partner[arc]] > 0):
                distance[u] = distance[v] + 1
                queue[count] = u
                count += 1
    return count


@_fast
def _nearest(begin: int, end: int, heads: Any, forth: Any, sent: Any, distance: Any) -> int:
    """Return the distance of a node by its neighbours along its arcs."""
    nearest = distance.size + 1
    for arc in range(begin, end):
        if (forth[arc] or sent[arc] > 0) and distance[heads[arc]] + 1 < nearest:
            nearest = distance[heads[arc]] + 1
    return int(nearest)


@_fast
def _enter(u: int, d: int, level: Any, above: Any, below: Any) -> None:
    """Put a node at the front of the list of distance d."""
    above[u], below[u] = -1, level[d]
    if level[d] >= 0:
        above[level[d]] = u
    level[d] = u


@_fast
def _leave(u: int, d: int, level: Any, above: Any, below: Any) -> None:
    """Take a node out of the list of distance d."""
    if above[u] >= 0:
        below[above[u]] = below[u]
    else:
        level[d] = below[u]
    if below[u] >= 0:
        above[below[u]] = above[u]


@_fast
def _line_up(
    queue: Any, distance: Any, excess: Any, level: Any, above: Any, below: Any, active: Any, waiting: Any
) -> tuple[int, int]:
    """List the nodes of each distance, and those with excess; the largest distance with any (0: none), and of all."""
    level[:], active[:] = -1, -1
    top = highest = 0
    for u in queue:
        highest = distance[u]
        _enter(u, highest, level, above, below)
        if excess[u] > 0:
            waiting[u], active[highest] = active[highest], u
            top = highest
    return top, highest


@_fast
def _cut_off(d: int, highest: int, distance: Any, level: Any, below: Any) -> None:
    """Close a gap: nothing is at distance d any more, so what is beyond it does not reach the sink."""
    for higher in range(d + 1, highest + 1):
        v = level[higher]
        while v >= 0:
            distance[v] = distance.size + 1
            v = below[v]
        level[higher] = -1


@_fast
def drain(begins: Any, heads: Any, partner: Any, forth: Any, excess: Any, room: Any) -> Any:
    """Return the distance of each node from the sink in the end, n + 1 where it does not reach it: int64[n].

    Pushing and lifting stand here in one loop: apart, the arrays handed on at each push cost two to four times as much
    (measured, on a stack and a pit of 1e5 nodes).
    """
    size = excess.size
    far = size + 1
    sent = np.zeros(heads.size, np.int64)
    distance, queue, current = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    above, below = np.empty(size, np.int64), np.empty(size, np.int64)  # neighbours in the list of a level
    level, active, waiting = np.empty(far + 1, np.int64), np.empty(far + 1, np.int64), np.empty(size, np.int64)
    while True:
        count = _measure(begins, heads, partner, forth, sent, room, distance, queue)
        top, highest = _line_up(queue[:count], distance, excess, level, above, below, active, waiting)
        if top == 0:
            return distance
        current[:] = begins[:-1]
        work = 0
        while top > 0 and work < 12 * size + 4 * heads.size:
            u = active[top]
            if u < 0:
                top -= 1
                continue
            active[top] = waiting[u]
            if distance[u] != top:
                continue
            while excess[u] > 0:
                if room[u] > 0:
                    amount = min(excess[u], room[u])
                    room[u] -= amount
                    excess[u] -= amount
                    if excess[u] == 0:
                        break
                d = distance[u]
                arc = current[u]
                while arc < begins[u + 1]:
                    v = heads[arc]
                    if distance[v] == d - 1 and (forth[arc] or sent[arc] > 0):
                        if forth[arc]:
                            amount = excess[u]
                            sent[partner[arc]] += amount
                        else:
                            amount = min(excess[u], sent[arc])
                            sent[arc] -= amount
                        if excess[v] == 0:
                            waiting[v], active[d - 1] = active[d - 1], v
                        excess[v] += amount
                        excess[u] -= amount
                        if excess[u] == 0:
                            break
                    arc += 1
                current[u] = arc
                if excess[u] == 0:
                    break
                nearest = _nearest(begins[u], begins[u + 1], heads, forth, sent, distance)
                work += 12 + begins[u + 1] - begins[u]
                _leave(u, d, level, above, below)
                if level[d] < 0:
                    _cut_off(d, highest, distance, level, below)
                    nearest, highest = far, d - 1
                distance[u] = nearest
                if nearest >= far:
                    break
                current[u] = begins[u]
                _enter(u, nearest, level, above, below)
                highest = max(highest, nearest)
            if distance[u] < far:
                top = max(top, distance[u])
