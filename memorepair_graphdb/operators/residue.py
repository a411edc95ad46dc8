"""Does a successor still say what was retracted? (paper section 2.5, design section 6)

The law of the room: residue is what stands in a retracted text and in no live source, contract read or template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..model.content import canonical_json
from .payload import Payload
from .trial import Check, Trial
from .verdict import Frequency, Verdict
from .wording import (
    STOP_WORDS,
    cased_tokens,
    clean,
    compounds,
    passages,
    phrase,
    sentences,
    stream,
    tokens,
    unspaced,
)

NAME = "residue"
RUN_CHARACTERS = 12
"""A run of text is 12 characters of a script without spaces, or 8 words, each worth one and a half."""
WORD_CHARACTERS = 1.5
SHORTEST_SENTENCE = 3
"""tokens: "Thank you." is nobody's"""
RARE = 5
"""A word that fewer visible artifacts hold is told apart like a name."""
LONGEST_FILLED_IN = 60
"""words up to which a trace is compared with filled-in templates"""
SHOWN = 60
"""characters of a trace that a reason quotes"""


@dataclass(frozen=True, slots=True)
class RetractedIndex:
    """What could be recognised of a set of retracted texts; built once for all the candidates that share it."""

    openings: dict[tuple[str, ...], list[tuple[str, ...]]] = field(default_factory=dict)
    """first tokens of a sentence → the sentences that begin so"""
    runs: set[tuple[str, ...]] = field(default_factory=set)
    identifiers: dict[str, dict[str, str]] = field(default_factory=dict)
    """first token → the identifier as a phrase → as it was written"""
    numbers: set[str] = field(default_factory=set)
    words: dict[str, str] = field(default_factory=dict)
    """case-folded → as it was written"""
    names: set[str] = field(default_factory=set)
    """the words that are capitalised inside a sentence"""

    @classmethod
    def of(cls, texts: Sequence[str]) -> RetractedIndex:
        """The index of these texts; the last 64 sets are kept."""
        return _index(tuple(texts))

    def add(self, passage: str) -> None:
        """Take in one passage of a retracted text."""
        cleaned = clean(passage)
        for sentence in sentences(cleaned):
            self._add_sentence(tuple(tokens(sentence)), cased_tokens(sentence))
        self.runs.update(runs(tokens(cleaned)))
        for compound in compounds(cleaned):
            if is_identifier(compound):
                self.identifiers.setdefault(tokens(compound)[0], {}).setdefault(phrase(compound), compound)

    def _add_sentence(self, folded: tuple[str, ...], cased: list[str]) -> None:
        if len(folded) >= SHORTEST_SENTENCE:
            beginning = self.openings.setdefault(folded[:SHORTEST_SENTENCE], [])
            if folded not in beginning:
                beginning.append(folded)
        for position, written in enumerate(cased):
            token = written.casefold()
            if token.isdecimal():
                if len(token) > 1:
                    self.numbers.add(token)
            elif len(token) > 1 and token not in STOP_WORDS:
                self.words.setdefault(token, written)
                if position and written[0].isupper():
                    self.names.add(token)


class Trace(NamedTuple):
    """Something a passage shares with the retracted texts."""

    kind: str
    needle: str
    """as `wording.phrase` writes it"""
    shown: str
    common: bool = False
    """whether it counts only where it is rare in the space"""
    pieces: tuple[str, ...] = ()
    """the needle cut where a sentence or a line ends in the passage, if one does: two live pieces may meet there"""


def no_residue(trial: Trial) -> Verdict:
    """The check of a mode: `residue` of what a run returned."""
    review = trial.review
    return residue(review.payload, review.retracted, trial.live, trial.operator.templates, review.frequency)


def residue(
    payload: Payload, retracted: Sequence[str], live: Sequence[str], templates: Sequence[str], frequency: Frequency
) -> Verdict:
    """The verdict on a payload's content and metadata; a rejection says what kind of trace it saw, and which.

    `live` are the contents of the sources and of the contracts read, `templates` the operator's own phrases.
    """
    if not retracted:
        return Verdict(True, NAME)
    index = RetractedIndex.of(retracted)
    grounds = Grounds(live, templates)
    metadata = () if payload.metadata is None else (canonical_json(payload.metadata),)
    for text in (payload.content, *metadata):
        for passage in passages(text):
            for trace in _traces(passage, index):
                if grounds.hold(trace) or (trace.common and frequency(trace.needle.strip()) >= RARE):
                    continue
                return Verdict(False, NAME, f"{trace.kind} {_short(trace.shown)!r} is from a retracted text")
    return Verdict(True, NAME)


class Grounds:
    """What a payload may have its words from, read when the first trace is seen."""

    def __init__(self, live: Sequence[str], templates: Sequence[str]) -> None:
        self._texts = live, templates

    @cached_property
    def live(self) -> tuple[str, ...]:
        """The live contents, as `wording.stream` writes them."""
        return tuple(map(stream, self._texts[0]))

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The operator's phrases, written likewise."""
        return tuple(map(phrase, self._texts[1]))

    def hold(self, trace: Trace) -> bool:
        """Whether the trace, or each of its pieces, stands in a live content or a template, or is one filled in."""
        return self._holds(trace.needle) or (len(trace.pieces) > 1 and all(map(self._holds, trace.pieces)))

    def _holds(self, needle: str) -> bool:
        if any(needle in text for text in (*self.live, *self.templates)):
            return True
        return bool(self.templates) and self._filled_in(needle)

    def _filled_in(self, needle: str) -> bool:
        """Whether pieces of live contents and of templates alternate in it; two live pieces never meet."""
        words = needle.split()
        if len(words) > LONGEST_FILLED_IN:
            return False
        waiting, seen = [(0, False)], set()
        while waiting:
            start, after_live = state = waiting.pop()
            if start == len(words):
                return True
            if state in seen:
                continue
            seen.add(state)
            waiting.extend((end, False) for end in _ends(words, start, self.templates))
            if not after_live:
                waiting.extend((end, True) for end in _ends(words, start, self.live))
        return False


def _ends(words: list[str], start: int, texts: Sequence[str]) -> Iterator[int]:
    """Where the pieces end that begin at `start` and stand in one of the texts."""
    for end in range(start + 1, len(words) + 1):
        piece = f" {' '.join(words[start:end])} "
        if not any(piece in text for text in texts):
            return
        yield end


def _traces(passage: str, index: RetractedIndex) -> Iterator[Trace]:
    """What a passage shares with the index, the most telling first."""
    cleaned = clean(passage)
    folded = tokens(cleaned)
    for start, sentence in _sentences_among(folded, index):
        yield _stretch("the sentence", cleaned, start, sentence)
    for start, run in enumerate(runs(folded)):
        if run in index.runs:
            yield _stretch("the run of words", cleaned, start, run)
    distinct = dict.fromkeys(folded)
    yield from _identifiers_among(folded, distinct, index)
    for token in distinct:
        if token in index.numbers:
            yield Trace("the number", f" {token} ", token)
    for token in distinct:
        if token in index.names:
            yield Trace("the name", f" {token} ", index.words[token])
        elif token in index.words:
            yield Trace("the rare word", f" {token} ", index.words[token], common=True)


def _stretch(kind: str, cleaned: str, start: int, words: tuple[str, ...]) -> Trace:
    """A trace of several words, which begins at the passage's token `start`."""
    pieces, at = [], 0
    for sentence in sentences(cleaned):
        length = len(tokens(sentence))
        if piece := words[max(0, at - start) : max(0, at + length - start)]:
            pieces.append(f" {' '.join(piece)} ")
        at += length
    return Trace(kind, f" {' '.join(words)} ", " ".join(words), pieces=tuple(pieces))


def _sentences_among(folded: list[str], index: RetractedIndex) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The retracted sentences in a passage, each with the place of its first token."""
    for start in range(len(folded) - SHORTEST_SENTENCE + 1):
        for sentence in index.openings.get(tuple(folded[start : start + SHORTEST_SENTENCE]), ()):
            if tuple(folded[start : start + len(sentence)]) == sentence:
                yield start, sentence


def _identifiers_among(folded: list[str], distinct: dict[str, None], index: RetractedIndex) -> Iterator[Trace]:
    """Identifiers of the index, whether written alike or with other marks between their parts."""
    whole = ""
    for token in distinct:
        for needle, shown in index.identifiers.get(token, {}).items():
            whole = whole or f" {' '.join(folded)} "
            if needle in whole:
                yield Trace("the identifier", needle, shown)


def is_identifier(compound: str) -> bool:
    """Letters beside digits, or `@ _ / : .` inside, or digits in parts; not initials or stop words as in `and/or`."""
    parts = tokens(compound)
    if not parts or all(part in STOP_WORDS or (len(part) == 1 and not part.isdecimal()) for part in parts):
        return False
    digits = any(character.isdecimal() for character in compound)
    letters = any(character.isalpha() for character in compound)
    return (digits and (letters or len(parts) > 1)) or any(mark in compound.strip("_") for mark in "@_/:.")


def runs(folded: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """From every token on, the shortest stretch that makes a run of `RUN_CHARACTERS`."""
    if all(map(str.isascii, folded)):
        length = int(RUN_CHARACTERS / WORD_CHARACTERS)
        yield from zip(*(folded[offset:] for offset in range(length)), strict=False)
        return
    weights = [1.0 if unspaced(token) else WORD_CHARACTERS for token in folded]
    end, weight = 0, 0.0
    for start in range(len(folded)):
        while weight < RUN_CHARACTERS and end < len(folded):
            weight += weights[end]
            end += 1
        if weight < RUN_CHARACTERS:
            return
        yield tuple(folded[start:end])
        weight -= weights[start]


def _build(texts: tuple[str, ...]) -> RetractedIndex:
    index = RetractedIndex()
    for text in texts:
        for passage in passages(text):
            index.add(passage)
    return index


_index: Callable[[tuple[str, ...]], RetractedIndex] = lru_cache(maxsize=64)(_build)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


RESIDUE = Check(NAME, no_residue)
