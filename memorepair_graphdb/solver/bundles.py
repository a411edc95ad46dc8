"""Takes candidates one after the other, each with all that it still needs, as far as the budget goes.

What is taken is closed and within the budget; the caller decides in which order heads are tried.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .layers import Ints, Side


class NeedsNetwork:
    """Gains, costs and needs as Python lists, which a walk node by node reads faster than arrays; made once."""

    def __init__(self, gain: Ints, cost: Ints, needs: Side) -> None:
        self.gain: list[int] = gain.tolist()
        self.cost: list[int] = cost.tolist()
        self._needs: list[int] = needs.other.tolist()
        self._starts: list[int] = np.searchsorted(needs.own, np.arange(gain.size + 1)).tolist()

    def needs_of(self, node: int) -> list[int]:
        """Return what a node needs."""
        return self._needs[self._starts[node] : self._starts[node + 1]]


class GreedyFill:
    """What has been taken so far, and what is left to spend."""

    def __init__(self, network: NeedsNetwork, taken: NDArray[np.bool_], left: int) -> None:
        self.left = left
        self.taken: list[bool] = taken.tolist()
        self.refused = 0
        """nodes looked at in bundles that were not taken"""
        self._network = network
        self._seen = [-1] * taken.size
        self._dear = [False] * taken.size
        """whose bundle did not fit once: it never will, nor will one that holds it, as whatever is taken from a bundle
        leaves what is left by as much"""

    def try_bundle(self, head: int) -> None:
        """Take a head with all it needs that is not taken yet, if that fits, and gains more than 0 in all."""
        if self.taken[head]:
            return
        bundle, spent = self._gather(head)
        if spent is not None and sum(map(self._network.gain.__getitem__, bundle)) > 0:
            self.left -= spent
            for node in bundle:
                self.taken[node] = True
            return
        self._dear[head] = spent is None
        self.refused += len(bundle)

    def _gather(self, head: int) -> tuple[list[int], int | None]:
        """Return the bundle and its cost, breadth-first; None, and as much of it as was seen, when it cannot fit."""
        bundle, spent = [head], 0
        self._seen[head] = head
        for node in bundle:  # it grows while we walk it
            spent += self._network.cost[node]
            if spent > self.left or self._dear[node]:
                return bundle, None
            for need in self._network.needs_of(node):
                if self._seen[need] != head and not self.taken[need]:
                    self._seen[need] = head
                    bundle.append(need)
        return bundle, spent
