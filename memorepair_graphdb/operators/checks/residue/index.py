"""What could be recognised of retracted texts, looked up by token.

A text is read once, whatever the sets of texts that it is retracted with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from ...text import (
    COMMON_WORDS,
    cased_tokens,
    clean,
    compounds,
    figures,
    in_words,
    is_identifier,
    passages,
    phrase,
    schema_keys,
    sentences,
    spellings,
    stems,
    stretches,
    tokens,
    weight_of,
)
from ...text.bags import Bag, bag_of, by_rarest
from .runs import runs

SHORTEST_SENTENCE = 3
"""words: "Thank you." is nobody's"""
SHOUTED = 5
"""words, all capitalised, that make a sentence in which capitals say nothing"""
LONGEST_RESPELLED = 64
"""characters of an identifier that is found with any marks, or none, between its parts"""
KEPT = 64 * 1024
"""characters of a text whose index is kept apart, for other sets that it is in"""
_TYPED = str.maketrans("oli", "011")


class RetractedIndex:
    """What could be recognised of a set of retracted texts; built once for all the candidates that share it."""

    def __init__(self) -> None:
        self.openings: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        """first tokens of a sentence → the sentences that begin so"""
        self.runs: set[tuple[str, ...]] = set()
        self.bags: dict[Bag, None] = {}
        self.identifiers: dict[str, dict[str, str]] = {}
        """first token → the identifier as a phrase → as it was written"""
        self.respelled: dict[str, str] = {}
        """the identifier in one piece → as it was written"""
        self.numbers: set[str] = set()
        self.figures: dict[str, str] = {}
        """digits in one piece → as they were written"""
        self.words: dict[str, str] = {}
        """token → as it was written"""
        self.names: set[str] = set()
        """the words that are capitalised inside a sentence"""
        self.stretches: dict[str, dict[str, str]] = {}
        """first character → the word of a script without spaces, as a phrase → as it was written"""
        self.keys: dict[str, str] = {}
        """token of a JSON key that looks like a schema's → as it was written"""
        self.spellings: dict[str, str] = {}
        """token → the word as a search in the space finds it, where that is another"""

    @classmethod
    def of(cls, texts: Sequence[str]) -> RetractedIndex:
        """Return the index of these texts; the last 64 sets are kept, and the last 1,024 texts."""
        return _index(tuple(texts))

    @cached_property
    def telling(self) -> frozenset[str]:
        """The names, and the tokens with which an identifier begins, in one piece or in parts."""
        return frozenset({*self.names, *self.identifiers, *self.respelled})

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The words with which a sentence begins."""
        return frozenset(opening[0] for opening in self.openings)

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """All that a respelled identifier may begin with."""
        return frozenset(whole[:length] for whole in self.respelled for length in range(1, len(whole) + 1))

    @cached_property
    def typed(self) -> dict[str, str]:
        """The identifier with digits for the letters that look like them → as it was written."""
        return {as_typed(whole): written for whole, written in self.respelled.items()}

    @cached_property
    def rarest(self) -> dict[str, list[Bag]]:
        """Token → the bags that could only stand in a text that has this token or another of theirs here."""
        return by_rarest(self.bags)

    def add(self, passage: str) -> None:
        """Take in one passage of a retracted text."""
        cleaned = clean(passage)
        self.spellings.update(spellings(passage))
        for sentence in sentences(cleaned):
            self._add_sentence(tuple(tokens(sentence)), cased_tokens(sentence))
        self.runs.update(runs(tokens(cleaned)))
        for figure in figures(cleaned):
            self.figures.setdefault(*figure)
        for stretch in stretches(cleaned):
            self.stretches.setdefault(stretch[0], {}).setdefault(f" {' '.join(stretch)} ", stretch)
        for compound in compounds(cleaned):
            if is_identifier(compound):
                self._add_identifier(compound)

    def add_key(self, key: str) -> None:
        """Take in a JSON key of a retracted text that looks like a word of a schema: it may be a name."""
        for written in cased_tokens(clean(in_words(key))):
            token = written.casefold()
            if len(token) > 1 and not token.isdecimal() and token not in COMMON_WORDS:
                self.keys.setdefault(token, written)

    def update(self, other: RetractedIndex) -> None:
        """Take in another index."""
        for opening, openings in other.openings.items():
            beginning = self.openings.setdefault(opening, [])
            beginning.extend(sentence for sentence in openings if sentence not in beginning)
        for first, identifiers in other.identifiers.items():
            self.identifiers[first] = identifiers | self.identifiers.get(first, {})
        for first, phrases in other.stretches.items():
            self.stretches[first] = phrases | self.stretches.get(first, {})
        self.runs |= other.runs
        self.numbers |= other.numbers
        self.names |= other.names
        self.bags |= other.bags
        for mine, theirs in (
            (self.respelled, other.respelled),
            (self.figures, other.figures),
            (self.words, other.words),
            (self.keys, other.keys),
            (self.spellings, other.spellings),
        ):
            for key, written in theirs.items():
                mine.setdefault(key, written)

    def _add_identifier(self, compound: str) -> None:
        parts = tokens(compound)
        self.identifiers.setdefault(parts[0], {}).setdefault(phrase(compound), compound)
        whole = "".join(parts)
        if len(whole) <= LONGEST_RESPELLED and not whole.isdecimal() and not compound.replace("/", "").isalpha():
            self.respelled.setdefault(whole, compound)

    def _add_sentence(self, folded: tuple[str, ...], cased: list[str]) -> None:
        if len(folded) >= SHORTEST_SENTENCE and sum(map(weight_of, folded)) >= SHORTEST_SENTENCE:
            beginning = self.openings.setdefault(folded[:SHORTEST_SENTENCE], [])
            if folded not in beginning:
                beginning.append(folded)
        if bag := bag_of(folded):
            self.bags[bag] = None
        intact = len(cased) < SHOUTED or not all(written[0].isupper() for written in cased if written.isalpha())
        for position, written in enumerate(cased):
            token = written.casefold()
            if token.isdecimal():
                if len(token) > 1:
                    self.numbers.add(token)
            elif len(token) > 1 and token not in COMMON_WORDS:
                for form in (token, *stems(token)):
                    self.words.setdefault(form, written)
                if position and intact and written[0].isupper():
                    self.names.add(token)


def as_typed(token: str) -> str:
    """Return a token with digits for the letters that look like them: `passw0rd` and `password` are the same."""
    return token.translate(_TYPED)


def _read(text: str) -> RetractedIndex:
    index = RetractedIndex()
    for passage in passages(text):
        index.add(passage)
    for key in schema_keys(text):
        index.add_key(key)
    return index


_of_text: Callable[[str], RetractedIndex] = lru_cache(maxsize=1024)(_read)


def _build(texts: tuple[str, ...]) -> RetractedIndex:
    index = RetractedIndex()
    for text in texts:
        index.update(_of_text(text) if len(text) <= KEPT else _read(text))
    return index


_index: Callable[[tuple[str, ...]], RetractedIndex] = lru_cache(maxsize=64)(_build)
