"""Finds for each candidate the largest λ at which it is selected: all optima of Σw − λΣc at once (parametric cut).

λ is a fraction of integers; a block is split, or final, by exact comparison.

A block is a set of nodes that are not told apart yet. At λ = W/C of the block its largest optimal closure A is sought,
for all blocks in one disjoint union. What is in A has its λ* there or above, the rest below, and the needs between them
bind no more. A block that is optimal as a whole is final: λ* = W/C for all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bounds import Doubles
from .layers import Ints, Layers, parts
from .reduction import Cutter, reduced_closure
from .scaling_flow import Flow, closure_by_scaling
from .validate import PROFIT_LIMIT

_FEW = 64
"""A block of fewer nodes, too large in its figures, goes to the precise cut at once."""


class Cutters(NamedTuple):
    """What a frontier asks: a cut in doubles, a flow for what does not fit them, and how much is cut as it is."""

    cut: Cutter
    flow: Flow
    directly: int


@dataclass(slots=True, eq=False)
class OpenBlock:
    """The nodes whose λ* is not known: their numbers in the whole, and what binds them."""

    node: Ints
    layers: Layers
    value: Doubles
    cost: Doubles
    stuck: NDArray[np.bool_]
    """in a block that no λ of small terms splits"""


@dataclass(frozen=True, slots=True, eq=False)
class FrontierBlocks:
    """The blocks of a round, each with a λ = num/den; `exact` where that is W/C."""

    label: Ints
    size: Ints
    num: Ints
    den: Ints
    exact: NDArray[np.bool_]
    fits: NDArray[np.bool_]
    """whether den·W + num·C < 2^51"""


def solve_ratios(value: Doubles, cost: Doubles, layers: Layers, cutters: Cutters) -> tuple[Ints, Ints]:
    """λ* = num/den of each node, in lowest terms: two int64[n].

    `value` and `cost` are float64[n], integers ≥ 0 that each sum to less than 2^49; the needs of no node cost 0 in all.
    """
    num, den = np.zeros(layers.size, np.int64), np.ones(layers.size, np.int64)
    now = OpenBlock(np.arange(layers.size), layers, value, cost, np.zeros(layers.size, np.bool_))
    batched = cutters._replace(cut=in_batches(cutters.cut))
    while now.node.size:
        blocks = _measure_blocks(now)
        chosen = _cut_blocks(now, blocks, batched)
        inside = np.bincount(blocks.label, chosen, blocks.size.size)
        same = (inside == blocks.size) | (inside == 0)
        final = (blocks.exact & same)[blocks.label]
        num[now.node[final]] = blocks.num[blocks.label[final]]
        den[now.node[final]] = blocks.den[blocks.label[final]]
        now.stuck |= same[blocks.label]
        now = _remaining(now, ~final, chosen)
    return num, den


def _remaining(now: OpenBlock, keep: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> OpenBlock:
    layers = now.layers.kept(keep).parted(chosen[keep])
    return OpenBlock(now.node[keep], layers, now.value[keep], now.cost[keep], now.stuck[keep])


def _measure_blocks(now: OpenBlock) -> FrontierBlocks:
    label = now.layers.blocks()
    size = np.bincount(label)
    value = np.bincount(label, now.value).astype(np.int64)
    cost = np.bincount(label, now.cost).astype(np.int64)
    divisor = np.gcd(value, cost)
    num, den = value // divisor, cost // divisor
    fits = 2.0 * value.astype(np.float64) * den < PROFIT_LIMIT * (1 - 2.0**-40)
    exact = fits | (size < _FEW) | (np.bincount(label, now.stuck) > 0)
    for block in np.flatnonzero(~exact).tolist():
        near = _approximate(int(value[block]), int(cost[block]))
        num[block], den[block], fits[block] = near.numerator, near.denominator, True
    return FrontierBlocks(label, size, num, den, exact, fits)


def _approximate(value: int, cost: int) -> Fraction:
    """Return a fraction near value/cost with den·value + num·cost < 2^51; any λ splits a block rightly, if at all."""
    return Fraction(value, cost).limit_denominator(max(1, (PROFIT_LIMIT >> 2) // value))


def _cut_blocks(now: OpenBlock, blocks: FrontierBlocks, cutters: Cutters) -> NDArray[np.bool_]:
    """Return the largest optimal closure of every block at its λ: bool[nodes]. A block of one node is its own."""
    alone = blocks.size[blocks.label] == 1
    fits = blocks.fits[blocks.label] & ~alone
    precise = ~fits & ~alone
    chosen: NDArray[np.bool_] = alone.copy()
    if fits.any():
        part = now.layers.kept(fits)
        label = blocks.label[fits]
        profit = blocks.den[label] * now.value[fits] - blocks.num[label] * now.cost[fits]
        chosen[fits] = reduced_closure(profit, part, cutters.cut, True, cutters.directly)
    if precise.any():
        label = blocks.label[precise]
        terms = (blocks.den[label], now.value[precise], blocks.num[label], now.cost[precise])
        profits = [d * int(w) - n * int(c) for d, w, n, c in zip(*(term.tolist() for term in terms), strict=True)]
        chosen[precise] = closure_by_scaling(profits, now.layers.kept(precise).edges, cutters.flow)
    return chosen


def in_batches(cutter: Cutter) -> Cutter:
    """Return a cutter for a disjoint union of parts with Σ|p| < 2^51 each, not all together: up to 2^52 at a time."""

    def cut(profit: NDArray[np.int64], needs: Ints) -> NDArray[np.bool_]:
        sizes = np.abs(profit).astype(np.float64)
        if sizes.sum() < PROFIT_LIMIT:
            return cutter(profit, needs)
        label = parts(profit.size, needs[:, 0], needs[:, 1])
        part = np.bincount(label, sizes)
        batch = ((np.cumsum(part) - part) // (PROFIT_LIMIT >> 1)).astype(np.int64)[label]
        chosen = np.zeros(profit.size, np.bool_)
        for number in np.unique(batch).tolist():
            inside = batch == number
            renumbered = np.cumsum(inside) - 1
            chosen[inside] = cutter(profit[inside], renumbered[needs[inside[needs[:, 0]]]])
        return chosen

    return cut
