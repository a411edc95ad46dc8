"""Bags of words: a retracted sentence whose content words come back in another order.

The law of the room: four fifths of them inside a window of twice the sentence's length; stop words do not count. A
sentence of hardly any content words is told apart only by all its words, side by side.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple

from . import STOP_WORDS, unspaced

SHARE = 0.8
LEAST = 3.0
"""words that make a bag; a character of a script without spaces is a quarter of one"""
CHARACTER = 0.25
WINDOW = 2
"""lengths of the sentence in which its words are looked for"""
LEAST_OF_ANY = 5
"""words, stop words too, of a sentence that has fewer content words"""


class Bag(NamedTuple):
    """Words of one sentence."""

    words: frozenset[str]
    needed: int
    """words of it that are told apart from chance"""
    window: int
    """tokens among which they are looked for"""


def bag_of(folded: Sequence[str]) -> Bag | None:
    """The bag of a sentence's tokens; None where these are too few."""
    content = frozenset(token for token in folded if token not in STOP_WORDS and (len(token) > 1 or unspaced(token)))
    if sum(CHARACTER if unspaced(word) else 1.0 for word in content) >= LEAST:
        return Bag(content, ceil(SHARE * len(content)), WINDOW * len(folded))
    words = frozenset(folded)
    if len(words) >= LEAST_OF_ANY and not any(map(unspaced, words)):
        return Bag(words, len(words), len(folded))
    return None


def by_rarest(bags: Iterable[Bag]) -> dict[str, list[Bag]]:
    """Token → bags, each under so few of its rarest words that a text without all of these cannot hold it."""
    bags = list(bags)
    often = Counter(word for bag in bags for word in bag.words)
    found: dict[str, list[Bag]] = {}
    for bag in bags:
        rarest = sorted(bag.words, key=lambda word: (often[word], word))
        for word in rarest[: len(bag.words) - bag.needed + 1]:
            found.setdefault(word, []).append(bag)
    return found


def held(bag: Bag, folded: Sequence[str], but: frozenset[str] = frozenset()) -> tuple[int, int] | None:
    """Where the tokens hold the bag, first and after the last; words in `but` do not count. None where nowhere."""
    counts: Counter[str] = Counter()
    inside: deque[int] = deque()
    wanted = bag.words - but
    for place, token in enumerate(folded):
        if token not in wanted:
            continue
        while inside and place - inside[0] >= bag.window:
            left = folded[inside.popleft()]
            counts[left] -= 1
            if not counts[left]:
                del counts[left]
        inside.append(place)
        counts[token] += 1
        if len(counts) >= bag.needed:
            return inside[0], place + 1
    return None
