"""The maximum-weight closure of a graph of needs, by one exact min-cut (paper section 2.4).

The law of the room: integers in, one certain set out, and no other module knows igraph.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from igraph import GraphBase
from numpy.typing import NDArray

from ..errors import BadInput

PROFIT_LIMIT = 2**51
"""Σ|p| stays below it: every sum of capacities is then an integer that a double holds exactly."""

_CAPACITY_LIMIT = 2**53
_SPLIT = 26


def maximum_closure(
    profit: NDArray[np.int64],
    requires: NDArray[np.int64],
    forbidden: NDArray[np.bool_] | None = None,
    tie: Literal["smallest", "largest"] = "smallest",
) -> NDArray[np.bool_]:
    """Choose the nodes that maximise Σ profit, where whoever is chosen has all it needs.

    `profit` is int64[n], positive or negative; `requires` int64[m, 2], each row (i, j) once: "i needs j", cycles
    allowed; `forbidden` bool[n]: never chosen, nor what needs them. Of all optima, `tie` names the smallest or the
    largest set; both exist and are unique, as the optima are closed under union and intersection. Returns bool[n].

    Raises `BadInput` for another dtype or shape, a node out of range, a self-loop, a duplicate row, or Σ|p| ≥ 2^51.
    """
    _check_profit(profit)
    _check_pairs(requires, profit.size, "requires")
    _check_forbidden(forbidden, profit.size)
    if tie not in ("smallest", "largest"):
        raise BadInput(f"tie is 'smallest' or 'largest', not {tie!r}")
    chosen = np.zeros(profit.size, dtype=np.bool_)
    allowed = np.flatnonzero(~_barred(profit.size, requires, forbidden))
    if allowed.size:
        inner = _renumbered(requires, allowed, profit.size)
        find = _smallest if tie == "smallest" else _largest
        chosen[allowed] = find(profit[allowed], inner)
    return chosen


def on_cycle(size: int, edges: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of `size` nodes lie on a directed cycle of `edges` (int64[m, 2]; loops and duplicates allowed): bool[size].

    Raises `BadInput` for another dtype or shape, or a node out of range.
    """
    _check_shape(edges, size, "edges")
    if not size:
        return np.zeros(0, dtype=np.bool_)
    graph = _graph(size, edges[:, 0], edges[:, 1])
    component = np.asarray(graph.connected_components("strong"), dtype=np.int64)
    cyclic: NDArray[np.bool_] = np.bincount(component)[component] > 1
    cyclic[edges[edges[:, 0] == edges[:, 1], 0]] = True
    return cyclic


def _largest(profit: NDArray[np.int64], requires: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The maximal optimal closure: the source's side of the min-cut that lies nearest the sink."""
    source, sink = profit.size, profit.size + 1
    gains, losses = np.flatnonzero(profit > 0), np.flatnonzero(profit < 0)
    endless = 1 + int(profit[gains].sum())
    tails = np.concatenate([requires[:, 0], np.full(gains.size, source), losses])
    heads = np.concatenate([requires[:, 1], gains, np.full(losses.size, sink)])
    capacity = np.concatenate([np.full(len(requires), endless), profit[gains], -profit[losses]])
    cut = _graph(profit.size + 2, tails, heads).st_mincut(source, sink, _as_capacities(capacity))
    _value, _edges, near_source, _near_sink = cut  # in this order, whatever its docstring says
    chosen = np.zeros(profit.size + 2, dtype=np.bool_)
    chosen[np.asarray(near_source, dtype=np.int64)] = True
    return chosen[: profit.size]


def _smallest(profit: NDArray[np.int64], requires: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The minimal optimal closure: the complement of the maximal one where every need and profit is turned round."""
    return ~_largest(-profit, requires[:, ::-1])


def _graph(size: int, tails: NDArray[np.int64], heads: NDArray[np.int64]) -> Any:
    return GraphBase(size, zip(tails.tolist(), heads.tolist(), strict=True), True)


def _as_capacities(capacity: NDArray[np.int64]) -> list[float]:
    """A list of Python floats: igraph reads any other type of number silently as 1.0."""
    doubles = capacity.astype(np.float64)
    exact = np.isfinite(doubles) & (doubles == np.trunc(doubles)) & (doubles >= 0) & (doubles < _CAPACITY_LIMIT)
    if not exact.all():
        raise BadInput("a capacity is not an integer that a double holds exactly")
    listed: list[float] = doubles.tolist()
    return listed


def _barred(size: int, requires: NDArray[np.int64], forbidden: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """The forbidden nodes and all that need them, breadth-first over the needs turned round."""
    barred = np.zeros(size, dtype=np.bool_)
    if forbidden is None or not forbidden.any():
        return barred
    order = np.argsort(requires[:, 1], kind="stable")
    dependents = requires[order, 0].tolist()
    starts = np.searchsorted(requires[order, 1], np.arange(size + 1)).tolist()
    seen = forbidden.tolist()
    reached = np.flatnonzero(forbidden).tolist()
    for node in reached:  # it grows while we walk it
        for dependent in dependents[starts[node] : starts[node + 1]]:
            if not seen[dependent]:
                seen[dependent] = True
                reached.append(dependent)
    barred[reached] = True
    return barred


def _renumbered(requires: NDArray[np.int64], allowed: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The rows among the allowed nodes, in their own numbers; whatever an allowed node needs is allowed."""
    number = np.full(size, -1, dtype=np.int64)
    number[allowed] = np.arange(allowed.size)
    return number[requires[number[requires[:, 0]] >= 0]]


def _check_profit(profit: NDArray[np.int64]) -> None:
    if not isinstance(profit, np.ndarray) or profit.dtype != np.int64 or profit.ndim != 1:
        raise BadInput("profit is a numpy array int64[n]")
    if not ((profit > -PROFIT_LIMIT) & (profit < PROFIT_LIMIT)).all():
        raise BadInput("a profit is 2^51 or more: the cut would not be exact")
    sizes = np.abs(profit)
    total = (int((sizes >> _SPLIT).sum()) << _SPLIT) + int((sizes & ((1 << _SPLIT) - 1)).sum())
    if total >= PROFIT_LIMIT:
        raise BadInput(f"the profits sum to {total} in size, 2^51 or more: the cut would not be exact")


def _check_shape(pairs: NDArray[np.int64], size: int, name: str) -> None:
    if not isinstance(pairs, np.ndarray) or pairs.dtype != np.int64 or pairs.ndim != 2 or pairs.shape[1] != 2:
        raise BadInput(f"{name} is a numpy array int64[m, 2]")
    outside = ((pairs < 0) | (pairs >= size)).any(axis=1)
    if outside.any():
        raise BadInput(f"{name}: the row {pairs[outside][0].tolist()} names a node outside 0 to {size - 1}")


def _check_pairs(pairs: NDArray[np.int64], size: int, name: str) -> None:
    _check_shape(pairs, size, name)
    loops = pairs[pairs[:, 0] == pairs[:, 1]]
    if loops.size:
        raise BadInput(f"{name}: node {int(loops[0, 0])} needs itself")
    flat = np.sort(pairs[:, 0] * size + pairs[:, 1])
    twice = flat[1:][flat[1:] == flat[:-1]]
    if twice.size:
        raise BadInput(f"{name}: the row {list(divmod(int(twice[0]), size))} stands twice")


def _check_forbidden(forbidden: NDArray[np.bool_] | None, size: int) -> None:
    if forbidden is not None and (
        not isinstance(forbidden, np.ndarray) or forbidden.dtype != np.bool_ or forbidden.shape != (size,)
    ):
        raise BadInput(f"forbidden is a numpy array bool[{size}], one for each profit")
