"""A second exact cutter: highest-label push-relabel on int64, compiled by numba (the extra `fast`).

The law of the room: numba is imported when `compiled()` is called, never with the module; integers only, so that no
capacity is ever rounded.

Only the first phase is needed: when no node with excess reaches the sink any more, what does not reach it is the
largest optimal closure. Needs have no capacity; what was sent along a need may flow back. `_drain` is one long function
because numba compiles it as one: distances afresh, then pushes until so much was relabelled that fresh distances pay.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .layers import Ints
from .reductions import Cutter


@cache
def compiled() -> Cutter:
    """Compile the cutter, once in a process; numba keeps it on disk too. Raises `ImportError` without numba."""
    import numba

    jit: Callable[[Any], Any] = numba.njit(cache=True, nogil=True)
    adjacent, drain = jit(_adjacent), jit(_drain)

    def cut(profit: NDArray[np.int64], needs: Ints) -> NDArray[np.bool_]:
        arcs = adjacent(profit.size, np.ascontiguousarray(needs[:, 0]), np.ascontiguousarray(needs[:, 1]))
        distance = drain(*arcs, np.maximum(profit, 0), np.maximum(-profit, 0))
        chosen: NDArray[np.bool_] = distance > profit.size
        return chosen

    cut(np.array([1, -1, 1]), np.array([[0, 1], [2, 1]]))
    return cut


def _adjacent(size: int, i: Any, j: Any) -> tuple[Any, Any, Any, Any]:
    """The arcs of each node, forth (to what it needs) and back: where they begin, their heads, partners, and which."""
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


def _drain(begins: Any, heads: Any, partner: Any, forth: Any, excess: Any, room: Any) -> Any:
    """The distance of each node from the sink in the end, size + 1 where it does not reach it: int64[size]."""
    size = excess.size
    far = size + 1
    sent = np.zeros(heads.size, np.int64)
    distance, queue, current = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    above, below = np.empty(size, np.int64), np.empty(size, np.int64)  # neighbours in the list of a level
    level, active, waiting = np.empty(far + 1, np.int64), np.empty(far + 1, np.int64), np.empty(size, np.int64)
    while True:
        distance[:], level[:], active[:] = far, -1, -1
        done = count = 0
        for u in range(size):
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
        top = highest = 0
        for place in range(count):
            u = queue[place]
            d = distance[u]
            current[u] = begins[u]
            above[u], below[u] = -1, level[d]
            if level[d] >= 0:
                above[level[d]] = u
            level[d] = u
            highest = d
            if excess[u] > 0:
                waiting[u], active[d] = active[d], u
                top = d
        if top == 0:
            return distance
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
                nearest = far
                for arc in range(begins[u], begins[u + 1]):
                    if (forth[arc] or sent[arc] > 0) and distance[heads[arc]] + 1 < nearest:
                        nearest = distance[heads[arc]] + 1
                work += 12 + begins[u + 1] - begins[u]
                if above[u] >= 0:
                    below[above[u]] = below[u]
                else:
                    level[d] = below[u]
                if below[u] >= 0:
                    above[below[u]] = above[u]
                if level[d] < 0:  # a gap: nothing above it reaches the sink any more
                    nearest = far
                    for higher in range(d + 1, highest + 1):
                        v = level[higher]
                        while v >= 0:
                            distance[v] = far
                            v = below[v]
                        level[higher] = -1
                    highest = d - 1
                distance[u] = nearest
                if nearest >= far:
                    break
                current[u] = begins[u]
                above[u], below[u] = -1, level[nearest]
                if level[nearest] >= 0:
                    above[level[nearest]] = u
                level[nearest] = u
                highest = max(highest, nearest)
            if distance[u] < far:
                top = max(top, distance[u])
