"""Runs of words: stretches too long to be met by chance.

A run is eight words, or as many characters of a script without spaces as say as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...text import weight_of

RUN_WORDS = 8
_ALMOST = 1e-9
"""Twelve times two thirds is not quite eight."""


def runs(folded: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield, from every token on, the shortest stretch that makes a run of `RUN_WORDS`."""
    if all(map(str.isascii, folded)):
        yield from zip(*(folded[offset:] for offset in range(RUN_WORDS)), strict=False)
        return
    weights = [weight_of(token) for token in folded]
    end, weight = 0, 0.0
    for start in range(len(folded)):
        while weight < RUN_WORDS - _ALMOST and end < len(folded):
            weight += weights[end]
            end += 1
        if weight < RUN_WORDS - _ALMOST:
            return
        yield tuple(folded[start:end])
        weight -= weights[start]
