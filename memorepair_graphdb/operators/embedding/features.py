"""Defines frozen features, a vector of unit length for a text, with a hashed form and a cache.

A vector depends on its text alone: not on its neighbours in a batch, on the process or on the time. Weights that were
trained on it are checked against it again.
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

CACHED_SETS = 4
"""sets of texts whose vectors are cached: one for each of the workers that a store has by default."""


class Features(Protocol):
    """Frozen features; other vectors have another name."""

    @property
    def name(self) -> str:
        """Identifies the vectors to the bit: a skill is bound to it."""

    @property
    def width(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return float64[n, width] for n texts, each row of length 1 (or 0 for a text without words)."""


class HashedWords:
    """Hashes words and pairs of words with signs (Weinberger et al. 2009): needs nothing installed, knows no meaning.

    For a process without the extra `embed`, where requests repeat their tool's words.
    """

    def __init__(self, width: int = 512) -> None:
        self.width = width
        self.name = f"hashed-words-{width}"

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return float64[n, width] for n texts."""
        counts = np.zeros((len(texts), self.width))
        for row, text in zip(counts, texts, strict=True):
            words = tokens(clean(text))
            for gram in (*words, *map(" ".join, pairwise(words))):
                column, sign = divmod(crc32(gram.encode()), 2)
                row[column % self.width] += 1 - 2 * sign
        return unit(counts)


class CachedFeatures:
    """Features that read a text once while it is in use.

    The checks of a run, and the next repair, ask for most of its texts again, and reading them with MiniLM takes ten
    times as long as all else.

    The last `CACHED_SETS` sets are kept, in this process alone, by the hash of each text: never the texts.
    """

    def __init__(self, features: Features) -> None:
        self.name, self.width = features.name, features.width
        self._features = features
        self._sets: deque[dict[bytes, Matrix]] = deque(maxlen=CACHED_SETS)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return float64[n, width] for n texts."""
        hashes = [sha256(text.encode()).digest() for text in texts]
        cached = ChainMap(*tuple(self._sets))
        unread = {hash_: text for hash_, text in zip(hashes, texts, strict=True) if hash_ not in cached}
        read = dict(zip(unread, map(np.copy, self._features.encode(list(unread.values()))), strict=True))
        vectors = {hash_: read[hash_] if hash_ in read else cached[hash_] for hash_ in hashes}
        if not any(vectors.keys() <= set_.keys() for set_ in tuple(self._sets)):
            self._sets.append(vectors)
        return np.array([vectors[hash_] for hash_ in hashes]).reshape(len(hashes), self.width)


def unit(vectors: Matrix) -> Matrix:
    """Return the rows scaled to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float64)
