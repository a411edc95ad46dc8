"""Merges nodes that are chosen together or not at all (rules 4 and 5).

One pass merges all that can merge; chains collapse by pointer jumping, since recursion would be too deep.

Levels stay valid. Where j falls into its one dependent i, what j needs lies below j, so below i. Where i falls into the
one node j that it needs, what needs i lies above i, so above j. A group has one root, and its level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .layers import Ints, Layers, Side


def merge_pairs(profit: NDArray[np.float64], layers: Layers, largest: bool) -> Ints:
    """Return the root of each node, int64[n]: a node that merges with nothing is its own.

    A loss with one dependent is chosen just when the dependent is; a gain with one need just when the need is. A profit
    of 0 goes with the gains in the largest optimum, with the losses in the smallest.
    """
    gains = profit >= 0 if largest else profit > 0
    parent = np.arange(layers.size)
    _point(parent, layers.uses, ~gains)
    _point(parent, layers.needs, gains)
    mutual = np.flatnonzero((parent[parent] == np.arange(layers.size)) & (parent > np.arange(layers.size)))
    parent[mutual] = mutual
    while True:
        further = parent[parent]
        if (further == parent).all():
            return parent
        parent = further


def _point(parent: Ints, side: Side, those: NDArray[np.bool_]) -> None:
    """Point those with one edge to its other end."""
    starts = side.starts()
    single = starts[np.diff(np.append(starts, side.own.size)) == 1]
    single = single[those[side.own[single]]]
    parent[side.own[single]] = side.other[single]
