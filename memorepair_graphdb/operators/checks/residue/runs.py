"""Runs of words: stretches too long to be met by chance.

A run is 12 characters of a script without spaces, or 8 words, each worth one and a half.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...text import is_unspaced

RUN_CHARACTERS = 12
WORD_CHARACTERS = 1.5


def runs(folded: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """From every token on, the shortest stretch that makes a run of `RUN_CHARACTERS`."""
    if all(map(str.isascii, folded)):
        length = int(RUN_CHARACTERS / WORD_CHARACTERS)
        yield from zip(*(folded[offset:] for offset in range(length)), strict=False)
        return
    weights = [1.0 if is_unspaced(token) else WORD_CHARACTERS for token in folded]
    end, weight = 0, 0.0
    for start in range(len(folded)):
        while weight < RUN_CHARACTERS and end < len(folded):
            weight += weights[end]
            end += 1
        if weight < RUN_CHARACTERS:
            return
        yield tuple(folded[start:end])
        weight -= weights[start]
