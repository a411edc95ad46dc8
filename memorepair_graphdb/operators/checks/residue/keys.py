"""Tells which keys of artifacts hold a name or an identifier of a retracted text: a key stays, whatever is in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...protocol.verdict import Frequency
from ...text import in_words, tokens
from .index import RetractedIndex
from .judge import ResidueJudge, always_common

LEAST_DIGITS = 4
"""digits of a number that says something in a key"""


def quoting_keys(texts: Sequence[str], keys: Iterable[str], frequency: Frequency) -> tuple[str, ...]:
    """Return the keys, sorted, that hold a name, an identifier or a long number of these texts.

    A script without capitals does not tell its names: of it every word counts that is rare in the space.
    """
    if not texts:
        return ()

    def frequency_of(word: str) -> int:
        return always_common(word) if word.lower() != word.upper() else frequency(word)

    judge = ResidueJudge(tuple(dict.fromkeys(texts)), (), (), frequency_of)
    telling = RetractedIndex.of(tuple(dict.fromkeys(texts))).telling
    return tuple(sorted(key for key in set(keys) if _may_quote(key, telling) and _quotes(judge, key)))


def _may_quote(key: str, telling: frozenset[str]) -> bool:
    """Return whether a key is worth a look, of the many that a large event has."""
    if not key.isascii():
        return True
    return any(token in telling or token.isdecimal() for token in tokens(in_words(key)))


def _quotes(judge: ResidueJudge, key: str) -> bool:
    return any(not trace.shown.isdecimal() or len(trace.shown) >= LEAST_DIGITS for trace in judge.traces(in_words(key)))
