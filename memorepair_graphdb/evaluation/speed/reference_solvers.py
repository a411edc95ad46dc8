"""Solves the same closure with other people's solvers: the selection is measured against them, and checked by them.

A peer is optional and is imported when it is asked for; it gets the whole network, unreduced, and shares no code with
ours. igraph stands here as a peer, without any reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Chosen = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Peer:
    """A solver of somebody else's."""

    name: str
    package: str
    """the distribution, as pip knows it"""
    prepared: Callable[[Ints], Callable[[Ints], Chosen]]
    """requires int64[m, 2] → a solver for any number of profits: int64[n] → a best closure, bool[n]"""
    limit: int
    """the most candidates for which it ends in a time that a person waits"""
    limits: Mapping[str, int] = field(default_factory=dict)
    """instance → its own limit"""
    repeats: bool = True
    """whether it is fast enough to be asked for many λ"""

    def most(self, instance: str) -> int:
        """Return the most candidates of an instance that it is given."""
        return self.limits.get(instance, self.limit)


def installed() -> list[Peer]:
    """Return the peers that are installed here."""
    return [peer for peer in PEERS if _version(peer)]


def versions() -> dict[str, str]:
    """Return name → version of each peer that is installed."""
    return {peer.name: found for peer in PEERS if (found := _version(peer))}


def _version(peer: Peer) -> str | None:
    try:
        return version(peer.package)
    except PackageNotFoundError:
        return None


@dataclass(frozen=True, slots=True)
class _Cut:
    """The closure as a minimum cut: arcs of the network, the source and the sink numbered last."""

    tail: Ints
    head: Ints
    capacity: Ints
    source: int
    sink: int


def _cut(profit: Ints, requires: Ints) -> _Cut:
    source, sink = profit.size, profit.size + 1
    gains, losses = np.flatnonzero(profit > 0), np.flatnonzero(profit < 0)
    endless = 1 + int(profit[gains].sum())
    return _Cut(
        np.concatenate([requires[:, 0], np.full(gains.size, source), losses]),
        np.concatenate([requires[:, 1], gains, np.full(losses.size, sink)]),
        np.concatenate([np.full(len(requires), endless), profit[gains], -profit[losses]]),
        source,
        sink,
    )


def _prepare_nothing(solve: Callable[[Ints, Ints], Chosen]) -> Callable[[Ints], Callable[[Ints], Chosen]]:
    """Wrap a peer that keeps nothing between calls."""
    return lambda requires: lambda profit: solve(profit, requires)


def _mark(nodes: Any, size: int) -> Chosen:
    chosen = np.zeros(size + 2, dtype=np.bool_)
    chosen[np.asarray(nodes, dtype=np.int64)] = True
    return chosen[:size]


def _igraph(profit: Ints, requires: Ints) -> Chosen:
    cut = _cut(profit, requires)
    arcs = zip(cut.tail.tolist(), cut.head.tolist(), strict=True)
    graph = import_module("igraph").GraphBase(cut.sink + 1, arcs, True)
    # As a list of doubles: igraph reads any other numbers silently as 1.
    found = graph.st_mincut(cut.source, cut.sink, cut.capacity.astype(np.float64).tolist())
    return _mark(found[2], profit.size)


def _ortools(profit: Ints, requires: Ints) -> Chosen:
    cut = _cut(profit, requires)
    flow = import_module("ortools.graph.python.max_flow").SimpleMaxFlow()
    flow.add_arc_with_capacity(cut.source, cut.sink, 0)  # or it would not know a sink that no arc leads to
    flow.add_arcs_with_capacity(cut.tail.astype(np.int32), cut.head.astype(np.int32), cut.capacity)
    if flow.solve(cut.source, cut.sink) != flow.OPTIMAL:
        raise RuntimeError("OR-Tools found no flow")
    return _mark(flow.get_source_side_min_cut(), profit.size)


def _pymaxflow(profit: Ints, requires: Ints) -> Chosen:
    nodes = np.arange(profit.size)
    graph = import_module("maxflow").GraphInt(profit.size, len(requires))
    graph.add_nodes(profit.size)
    endless = np.full(len(requires), 1 + int(profit[profit > 0].sum()))
    graph.add_edges(requires[:, 0], requires[:, 1], endless, np.zeros(len(requires), dtype=np.int64))
    graph.add_grid_tedges(nodes, np.maximum(profit, 0), np.maximum(-profit, 0))
    graph.maxflow()
    return ~np.asarray(graph.get_grid_segments(nodes), dtype=np.bool_)


def _mineflow(requires: Ints) -> Callable[[Ints], Chosen]:
    """Prepare MineFlow with its precedences laid down once."""
    pits: list[Any] = []

    def solve(profit: Ints) -> Chosen:
        if pits:
            found = pits[0].solve_with_values(profit)
        else:
            tail, head = np.ascontiguousarray(requires[:, 0]), np.ascontiguousarray(requires[:, 1])
            pits.append(import_module("pymineflow").ExplicitPit(profit.size, tail, head, profit))
            found = pits[0].solve()
        return np.asarray(found[0], dtype=np.bool_)

    return solve


def _scipy(profit: Ints, requires: Ints) -> Chosen:
    """Raises `OverflowError` where a capacity is beyond 32 bits, all that scipy takes."""
    cut = _cut(profit, requires)
    if cut.capacity.max(initial=0) >= 2**31:
        raise OverflowError("scipy's maximum_flow takes capacities below 2^31")
    sparse = import_module("scipy.sparse")
    csgraph = import_module("scipy.sparse.csgraph")
    shape = (cut.sink + 1, cut.sink + 1)
    network = sparse.csr_array((cut.capacity.astype(np.int32), (cut.tail, cut.head)), shape=shape)
    left = network - csgraph.maximum_flow(network, cut.source, cut.sink).flow
    left.eliminate_zeros()
    reached = csgraph.breadth_first_order(left, cut.source, return_predecessors=False)
    return _mark(reached, profit.size)


def _networkx(profit: Ints, requires: Ints) -> Chosen:
    networkx = import_module("networkx")
    cut = _cut(profit, requires)
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(cut.sink + 1))
    for tail, head, capacity in zip(cut.tail.tolist(), cut.head.tolist(), cut.capacity.tolist(), strict=True):
        graph.add_edge(tail, head, capacity=capacity)
    _value, (near_source, _near_sink) = networkx.minimum_cut(graph, cut.source, cut.sink)
    return _mark(list(near_source), profit.size)


PEERS = (
    Peer("igraph", "igraph", _prepare_nothing(_igraph), 100_000, repeats=False),
    Peer("ortools", "ortools", _prepare_nothing(_ortools), 1_000_000),
    Peer("pymaxflow", "PyMaxflow", _prepare_nothing(_pymaxflow), 1_000_000, limits={"layer": 20_000}),
    Peer("mineflow", "pymineflow", _mineflow, 1_000_000),
    Peer("scipy", "scipy", _prepare_nothing(_scipy), 10_000, repeats=False),
    Peer("networkx", "networkx", _prepare_nothing(_networkx), 1_000, repeats=False),
)
"""In no order. PyMaxflow augments along shortest paths: 5 minutes on a stack of 1e5 near its turning point."""
