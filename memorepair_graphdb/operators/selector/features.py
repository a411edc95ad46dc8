"""What a text looks like to a selector: one frozen vector of unit length.

The law of the room: a vector depends on its text alone, not on its neighbours in a batch, its process or its hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..wording import clean, tokens

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]

KEPT = 2
"""Sets of texts whose vectors are kept: those of a run, which its checks ask for again."""


class Features(Protocol):
    """Frozen features; another meaning has another name."""

    @property
    def name(self) -> str:
        """Says which vectors these are, to the bit: a skill is bound to it."""

    @property
    def width(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Texts → float64[n, width], each row of length 1 (or 0 for a text without words)."""


class HashedWords:
    """Words and pairs of words, hashed with signs (Weinberger et al. 2009): needs nothing installed, knows no meaning.

    For a process without the extra `neural`, where requests repeat their tool's words.
    """

    def __init__(self, width: int = 512) -> None:
        self.width = width
        self.name = f"hashed-words-{width}"

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Texts → float64[n, width]."""
        counts = np.zeros((len(texts), self.width))
        for row, text in zip(counts, texts, strict=True):
            words = tokens(clean(text))
            for gram in (*words, *map(" ".join, pairwise(words))):
                place, sign = divmod(crc32(gram.encode()), 2)
                row[place % self.width] += 1 - 2 * sign
        return unit(counts)


class Kept:
    """Features that remember the last few sets of texts."""

    def __init__(self, features: Features) -> None:
        self.name, self.width = features.name, features.width
        self._encode = lru_cache(maxsize=KEPT)(features.encode)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Texts → float64[n, width]; not to be written to."""
        return self._encode(tuple(texts))


def unit(vectors: Matrix) -> Matrix:
    """Rows scaled to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float64)
