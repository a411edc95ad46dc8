"""Computes the maximum closure by reduction: bounds decide nodes, contraction merges them, a cut decides the kernel.

The result is exact, for the smallest and for the largest optimum. The cutter is a parameter.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .bounds import Doubles, decide_downward, decide_upward, exclude_dependents
from .contraction import merge_pairs
from .layers import Ints, Layers, is_deep

Cutter = Callable[[NDArray[np.int64], Ints], NDArray[np.bool_]]
"""(profit int64[n], needs int64[m, 2]) → the largest optimal closure, bool[n]."""

_WORTHWHILE = 10
"""A round goes on when it decides, or merges, at least one node in so many."""


def cut(profit: NDArray[np.int64], needs: Ints, cutter: Cutter, largest: bool) -> NDArray[np.bool_]:
    """Ask the cutter: the smallest optimum is the complement of the largest with every profit and need turned round."""
    return cutter(profit, needs) if largest else ~cutter(-profit, needs[:, ::-1])


def reduced_closure(
    profit: Doubles, layers: Layers, cutter: Cutter, largest: bool, directly: int = 0
) -> NDArray[np.bool_]:
    """Return the largest, or the smallest, optimal closure of `layers`: bool[n].

    `profit` is float64[n], integers whose sizes sum to less than 2^51, or -∞ for what is never chosen. A kernel of
    `directly` nodes or fewer is cut as it is.
    """
    kernel = Kernel(profit, layers, largest)
    while kernel.size > directly:
        if kernel.is_deep() and kernel.merge():  # chains collapse; then sweeping is cheap
            continue
        before = kernel.size
        kernel.sweep()
        if not _much(before - kernel.size, before) and not kernel.merge():
            break
    kernel.exclude_dependents()
    return kernel.cut(cutter)


def _much(part: int, whole: int) -> bool:
    return part * _WORTHWHILE >= whole


class Kernel:
    """What is not decided yet of a graph, and the answer for what is."""

    def __init__(self, profit: Doubles, layers: Layers, largest: bool) -> None:
        self._profit = profit.copy()
        self._layers = layers
        self._largest = largest
        self._answer = np.zeros(layers.size, np.bool_)
        self._nodes = np.arange(layers.size)
        self._seat = self._nodes
        """for each of the undecided `nodes` of the whole graph: its number in `layers`"""

    @property
    def size(self) -> int:
        """How many nodes are undecided, merged ones counted once."""
        return self._layers.size

    def is_deep(self) -> bool:
        """Say whether sweeping goes node by node."""
        level = self._layers.level
        return is_deep(int(np.count_nonzero(level[1:] != level[:-1])) + 1, level.size)

    def exclude_dependents(self) -> None:
        """Drop what is never chosen, and what needs it."""
        if (self._profit == -np.inf).any():
            exclude_dependents(self._profit, self._layers)
            self._drop_decided()

    def sweep(self) -> None:
        """One sweep up, one down, and drop what they decide."""
        decide_upward(self._profit, self._layers, self._largest)
        decide_downward(self._profit, self._layers, self._largest)
        self._drop_decided()

    def merge(self) -> bool:
        """Merge what goes together, if that is much."""
        root = merge_pairs(self._profit, self._layers, self._largest)
        roots = np.flatnonzero(root == np.arange(root.size))
        if not _much(root.size - roots.size, root.size) or not root.size:
            return False
        number = np.empty(root.size, np.int64)
        number[roots] = np.arange(roots.size)
        self._profit = np.bincount(number[root], self._profit, roots.size).astype(np.float64)
        self._layers = self._layers.merged(number[root], roots.size, roots)
        self._seat = number[root][self._seat]
        return True

    def cut(self, cutter: Cutter) -> NDArray[np.bool_]:
        """Cut the kernel, and return the whole answer."""
        chosen = cut(self._profit.astype(np.int64), self._layers.edges, cutter, self._largest)
        self._answer[self._nodes] = chosen[self._seat]
        return self._answer

    def _drop_decided(self) -> None:
        keep = np.isfinite(self._profit)
        if keep.all():
            return
        left = keep[self._seat]
        self._answer[self._nodes[~left]] = self._profit[self._seat[~left]] > 0
        self._nodes, self._seat = self._nodes[left], (np.cumsum(keep) - 1)[self._seat[left]]
        self._profit, self._layers = self._profit[keep], self._layers.kept(keep)
