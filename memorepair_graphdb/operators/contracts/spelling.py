"""Splits names into words, and says which names are the same words in another style or in another country's spelling.

Near spelling decides nothing: one letter turns a word round (interstate, intrastate; inbound, unbound).
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+|(?<![^\W_])-|[^\w\s-]")
"""A word, a number, or a mark; `-` is a mark where no letter or digit stands before it, as in `-1`."""

_BRITISH = {
    "analyse": "analyze", "authorisation": "authorization", "authorise": "authorize", "behaviour": "behavior",
    "cancelled": "canceled", "catalogue": "catalog", "categorise": "categorize", "centre": "center", "colour": "color",
    "customise": "customize", "favour": "favor", "favourite": "favorite", "fibre": "fiber", "fulfilment": "fulfillment",
    "grey": "gray", "honour": "honor", "initialise": "initialize", "labelled": "labeled", "labour": "labor",
    "litre": "liter", "neighbour": "neighbor", "normalise": "normalize", "optimise": "optimize",
    "organisation": "organization", "organise": "organize", "serialise": "serialize", "summarise": "summarize",
    "synchronise": "synchronize", "theatre": "theater", "travelled": "traveled",
}  # fmt: skip
"""British spelling → American; none of them is another word in either country."""


def words_of(name: str) -> tuple[str, ...]:
    """Return the words, numbers and marks of a name, in one case; `_`, blanks and a `-` between words are none."""
    return tuple(word.casefold() for word in _WORD.findall(name)) or (name,)


def stem(word: str) -> str:
    """Return an English word without its ending, as far as endings are regular: including and include are one."""
    return re.sub(r"(?:ing|ed|es|e|s|d)$", "", word) if len(word) > 3 else word


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words in a name or a text."""
    words = (word for part in re.findall(r"[^\s.,;:()\"'`]+", text) for word in words_of(part))
    return frozenset(map(stem, words))


def is_same_style(one: str, other: str) -> bool:
    """Return whether two names are the same words in another style; a single letter has no style (`-l` is no `-L`)."""
    return words_of(one) == words_of(other) and (one == other or len(one) > 1)


def is_same_spelling(one: str, other: str) -> bool:
    """Return whether two names are the same words, British or American."""
    return len(one) > 1 and tuple(map(_american, words_of(one))) == tuple(map(_american, words_of(other)))


def is_plural(one: str, other: str) -> bool:
    """Return whether two names are the same words but for an `s` at the end of one."""
    before, after = (tuple(map(_american, words_of(name))) for name in (one, other))
    return before[:-1] == after[:-1] and (before[-1] + "s" == after[-1] or after[-1] + "s" == before[-1])


def _american(word: str) -> str:
    plain = word.removesuffix("s")
    return _BRITISH[plain] + word[len(plain) :] if plain in _BRITISH else word
