"""Finds a sentence whose content words come back in another order, by bags of words.

Four fifths of them must stand inside a window of twice the sentence's length; stop words do not count. A sentence of
hardly any content words is recognised only by all its words, side by side.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from . import STOP_WORDS, is_phonetic, is_unspaced

SHARE = 0.8
LEAST = 3.0
"""words that make a bag; a character of a script without spaces is a quarter of one"""
CHARACTER = 0.25
WINDOW = 2
"""lengths of the sentence in which its words are searched"""
LEAST_OF_ANY = 5
"""words, stop words too, of a sentence that has fewer content words"""


@dataclass(frozen=True, slots=True)
class Bag:
    """Words of one sentence."""

    words: frozenset[str]
    needed: int
    """so many of the words that they do not meet by chance"""
    window: int
    """tokens among which they are searched"""


def bag_of(folded: Sequence[str]) -> Bag | None:
    """Return the bag of a sentence's tokens; None where these are too few, or sounds: there words are no tokens."""
    if any(map(is_phonetic, folded)):
        return None  # the letters of an alphabet stand in every sentence
    content = frozenset(token for token in folded if token not in STOP_WORDS and (len(token) > 1 or is_unspaced(token)))
    if sum(CHARACTER if is_unspaced(word) else 1.0 for word in content) >= LEAST:
        return Bag(content, ceil(SHARE * len(content)), WINDOW * len(folded))
    words = frozenset(folded)
    if len(words) >= LEAST_OF_ANY and not any(map(is_unspaced, words)):
        return Bag(words, len(words), len(folded))
    return None


def by_rarest(bags: Iterable[Bag]) -> dict[str, list[Bag]]:
    """Return token → bags, each under so few of its rarest words that a text without all of these cannot hold it."""
    bags = list(bags)
    frequency = Counter(word for bag in bags for word in bag.words)
    by_word: dict[str, list[Bag]] = {}
    for bag in bags:
        rarest = sorted(bag.words, key=lambda word: (frequency[word], word))
        for word in rarest[: len(bag.words) - bag.needed + 1]:
            by_word.setdefault(word, []).append(bag)
    return by_word


def find_bag(bag: Bag, folded: Sequence[str], ignored: frozenset[str] = frozenset()) -> tuple[int, int] | None:
    """Return the first index that holds the bag and the one after the last, else None; `ignored` words do not count."""
    counts: Counter[str] = Counter()
    inside: deque[int] = deque()
    wanted = bag.words - ignored
    for index, token in enumerate(folded):
        if token not in wanted:
            continue
        while inside and index - inside[0] >= bag.window:
            oldest = folded[inside.popleft()]
            counts[oldest] -= 1
            if not counts[oldest]:
                del counts[oldest]
        inside.append(index)
        counts[token] += 1
        if len(counts) >= bag.needed:
            return inside[0], index + 1
    return None
