"""What a text looks like to an operator: one frozen vector of unit length.

The law of the room: a vector depends on its text alone, not on its neighbours in a batch, its process or its hour.
"""

from __future__ import annotations

from collections import ChainMap, deque
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..text import clean, tokens

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]

KEPT = 4
"""Sets of texts whose vectors are kept: one for each of the workers that a store has by default."""


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

    For a process without the extra `embed`, where requests repeat their tool's words.
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
    """Features that read a text once while it is in use: its checks, and the next repair, ask for most of a run's texts
    again, and reading them with MiniLM takes ten times as long as all else.

    The last `KEPT` sets are kept, in this process alone, by the hash of each text: never the texts.
    """

    def __init__(self, features: Features) -> None:
        self.name, self.width = features.name, features.width
        self._features = features
        self._sets: deque[dict[bytes, Matrix]] = deque(maxlen=KEPT)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Texts → float64[n, width]."""
        hashes = [sha256(text.encode()).digest() for text in texts]
        known = ChainMap(*tuple(self._sets))
        unread = {hash_: text for hash_, text in zip(hashes, texts, strict=True) if hash_ not in known}
        read = dict(zip(unread, map(np.copy, self._features.encode(list(unread.values()))), strict=True))
        vectors = {hash_: read[hash_] if hash_ in read else known[hash_] for hash_ in hashes}
        if not any(vectors.keys() <= kept.keys() for kept in tuple(self._sets)):
            self._sets.append(vectors)
        return np.array([vectors[hash_] for hash_ in hashes]).reshape(len(hashes), self.width)


def unit(vectors: Matrix) -> Matrix:
    """Rows scaled to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float64)
