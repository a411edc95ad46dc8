"""States the selection within a budget as an integer program over the groups of a topology."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from .layers import Ints, Layers

Members = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Knapsack:
    """Maximise Σ gain over closures of `layers` with Σ cost ≤ budget; `gain` and `cost` are int64[n], cost ≥ 0."""

    layers: Layers
    gain: Ints
    cost: Ints
    budget: int

    def holds(self, chosen: Members) -> bool:
        """Say whether a set is a solution."""
        needs = self.layers.needs
        return self.spent(chosen) <= self.budget and not (chosen[needs.own] & ~chosen[needs.other]).any()

    def worth(self, chosen: Members) -> int:
        """Return Σ gain of a solution; raises `BadInput` for what is none."""
        if not self.holds(chosen):
            raise BadInput("not a closure within the budget")
        return int(self.gain[chosen].sum())

    def spent(self, chosen: Members) -> int:
        """Return Σ cost of a set."""
        return int(self.cost[chosen].sum())

    def better(self, first: Members, second: Members) -> Members:
        """Return the one that is worth more; of equals the first."""
        return second if self.worth(second) > self.worth(first) else first
