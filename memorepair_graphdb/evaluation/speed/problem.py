"""Holds a network to measure the selection on, with its λ and the solvers it is measured against.

The same instance, size and seed is the same task on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .networks import CandidateNetwork
from .reference_solvers import Peer

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SelectionProblem:
    """A network and how to measure on it."""

    instance: str
    network: CandidateNetwork
    rivals: Sequence[Peer]
    rounds: int

    @property
    def tradeoff(self) -> Fraction:
        """λ in raw units: 0.3 of mean value by mean cost for a memory, 1 for what is made to be hard there."""
        if self.instance not in ("provenance", "deep"):
            return Fraction(1)
        scale = Fraction(int(self.network.value.sum()), int(self.network.cost.sum()))
        return (Fraction(3, 10) * scale).limit_denominator(1_000)

    def profit(self, at: Fraction) -> Ints:
        """Return den·w − num·c of λ = num/den: int64[n]."""
        return at.denominator * self.network.value - at.numerator * self.network.cost

    def split_rivals(self) -> tuple[list[Peer], dict[str, str]]:
        """Return the rivals that end in a time that a person waits, and why the others are left out."""
        size = self.network.value.size
        slow = {p.name: f"too slow above {most}" for p in self.rivals if (most := p.most(self.instance)) < size}
        return [peer for peer in self.rivals if peer.name not in slow], slow
