"""Prepares the needs of a repair as a graph, once for every λ and every profit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from .layers import BITS, Ints, Layers, Side
from .levels import number_by_level
from .validate import check_loops, check_pairs, check_shape


@dataclass(frozen=True, slots=True, eq=False)
class Topology:
    """A graph of needs among `size` nodes, its cycles contracted, its nodes in layers.

    `group` is int64[size]: the number of a node in `layers`; the nodes of a cycle share one.
    """

    size: int
    group: Ints
    layers: Layers

    @classmethod
    def of(cls, size: int, requires: Ints) -> Topology:
        """Prepare `requires`, int64[m, 2], each row (i, j) once: "i needs j", cycles allowed.

        Raises `BadInput` for another dtype or shape, a node out of range, a self-loop, or a duplicate row.
        """
        check_shape(requires, size, "requires")
        check_loops(requires, "requires")
        if size >= 1 << BITS:
            raise BadInput(f"{size} nodes are too many: fewer than 2^{BITS}")
        uses = Side.of(requires[:, 1], requires[:, 0])
        if len(uses.own) < len(requires):
            check_pairs(requires, size, "requires")  # names the row
        return cls(size, *number_by_level(size, uses))

    @classmethod
    def given(cls, requires: Ints | Topology, size: int) -> Topology:
        """Return the topology itself, or the one of these rows.

        Raises `BadInput` where it is for another number of nodes.
        """
        if not isinstance(requires, Topology):
            return cls.of(size, requires)
        if size != requires.size:
            raise BadInput(f"{size} figures for a topology of {requires.size} nodes")
        return requires

    def gathered(self, figures: NDArray[np.int64], forbidden: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """Return the figures of the groups, -∞ for forbidden ones: exact, as the sizes of all sum to less than 2^53."""
        gathered = np.bincount(self.group, figures, self.layers.size).astype(np.float64, copy=False)
        if forbidden is not None:
            gathered[self.group[forbidden]] = -np.inf
        return gathered

    def spread(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return a choice among groups as one among nodes."""
        spread: NDArray[np.bool_] = chosen[self.group]
        return spread
