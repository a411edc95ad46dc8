"""Cuts text of scripts without spaces into words, by ICU's dictionaries; for telling names, not for comparing.

A name that no dictionary has may fall into pieces (王 · 小明), so neighbours are joined too, where one is short.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from icu4py.breakers import WordBreaker

from ...model.scripts import HIRAGANA, IDEOGRAPHIC, UNSPACED

_RUN = re.compile(rf"[{UNSPACED}]+")
_IDEOGRAPH = re.compile(rf"[{IDEOGRAPHIC}]")
_GRAMMAR = re.compile(rf"[{HIRAGANA}]")
"""Hiragana writes Japanese endings and particles, which belong to no name beside them."""
_LOCALE = "en"
"""ICU chooses a dictionary by the script; the locale changes nothing for these."""


@dataclass(frozen=True, slots=True)
class _Lengths:
    """Numbers of characters, in one sort of script."""

    least: int
    """of a stretch that tells something"""
    short: int
    """up to which a word may be a piece of a name"""
    joined: int
    """of neighbours, at most"""
    sure: int
    """of a stretch that is not met by chance inside other words"""


_IDEOGRAPHS = _Lengths(least=2, short=1, joined=5, sure=3)
_SOUNDS = _Lengths(least=3, short=5, joined=10, sure=7)
"""Thai, Lao, Khmer, Burmese: a character is a consonant, or a vowel or tone beside it"""


def unspaced_words(cleaned: str) -> list[str]:
    """Return the words of all runs of a cleaned text that are written without spaces, in their order."""
    return [] if cleaned.isascii() else [word for run in _RUN.findall(cleaned) for word in _words(run)]


def with_spaces(text: str) -> str:
    """Return the text with a space between the words that are written without one."""
    return text if text.isascii() else _RUN.sub(lambda run: f" {' '.join(_words(run[0]))} ", text)


def stretches(cleaned: str) -> frozenset[str]:
    """Return what may be a name in a cleaned text: the words of scripts without spaces, and short neighbours joined."""
    if cleaned.isascii():
        return frozenset()
    return frozenset(part for run in _RUN.findall(cleaned) for part in _stretches(run))


def is_sure(stretch: str) -> bool:
    """Return whether a stretch is too long to stand by chance inside other words."""
    return len(stretch) >= _lengths(stretch).sure


def _stretches(run: str) -> Iterator[str]:
    words, lengths = _words(run), _lengths(run)
    for word in words:
        if len(word) >= (lengths.least if not _GRAMMAR.match(word) else lengths.sure):
            yield word
    for size in (2, 3):
        for start in range(len(words) - size + 1):
            parts = words[start : start + size]
            joined = "".join(parts)
            short = sum(len(word) <= lengths.short for word in parts)
            if len(joined) <= lengths.joined and short >= size - 1 and not _GRAMMAR.search(joined):
                yield joined


def _lengths(text: str) -> _Lengths:
    return _IDEOGRAPHS if _IDEOGRAPH.match(text) else _SOUNDS


@lru_cache(maxsize=8192)
def _words(run: str) -> tuple[str, ...]:
    return tuple(WordBreaker(run, _LOCALE))
