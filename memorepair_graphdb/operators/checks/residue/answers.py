"""Says what of a tool's fresh answer is held against it: names and numbers of retracted texts, and no more.

The arguments of the call and its recipe were judged before, in full: what the tool answers comes from the world, which
may use the same words, name the same places and give the same dates. What tells of a person still counts: names,
numbers that are no everyday figures, identifiers. Places are told from names by a list (countries, and the cities of
the time zone database) and by the words before them; a name that is not told for certain counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from ...text import COMMON_WORDS, cased_tokens, clean, is_unspaced, tokens, with_spaces
from .trace import Trace, Unit

LONGEST_PLACE = 4
"""words of the name of a place"""
FIGURE = 2
"""digits of a number that says nothing of anybody"""
PART_OF_NAME = 3
"""letters from which on a part of an identifier without digits may be a name: `ann.berg`, and not `m/s`"""
_IN = frozenset({"in", "near", "around", "across", "throughout", "en", "nach", "aus", "dans", "im"})
"""words after which a name is that of a place"""
_ALSO_NAMES = frozenset(
    {"adelaide", "chad", "cyprus", "georgia", "israel", "jordan", "nelson", "paris", "santiago", "sofia", "sydney"}
)
"""places that people are called too: only the words before them tell"""
_PIECE = re.compile(r"\w+|[^\w\s]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATE = re.compile(
    r"20\d\d[-/.]\d\d?(?:[-/.]\d\d?(?:t[\d:.+z-]*)?)?|\d\d?[-/.]\d\d?[-/.](?:20)?\d\d|\d\d?:\d\d(?::\d\d)?",
    re.IGNORECASE,
)
_FEW_DIGITS = re.compile(r"\W*(?:\d\W*){1,4}")
"""a decimal, or what a date or a time falls into"""
_SEPARATOR = re.compile(r"[._:@+#-]+")


@dataclass(frozen=True)
class Mentions:
    """The words of some retracted texts with what stands beside them."""

    texts: tuple[str, ...]

    def counts(self, trace: Trace, passage: str, *, places: bool) -> bool:
        """Return whether a trace in a passage of an answer tells of what was retracted, and not of the world.

        `places` says whether the name of a place counts: after a correction, what was corrected may be one.
        """
        if not isinstance(trace, Unit):
            return False  # words in a row are no name and no number
        if trace.kind == "the name":
            return places or not self._is_place(trace)
        if trace.kind == "the number":
            return not self._is_everyday(trace.shown)
        if trace.kind == "the identifier":
            return _names_something(trace.shown)
        if trace.kind == "the word":  # of a script without spaces: what a dictionary has is no name
            return with_spaces(trace.shown).split() != [trace.shown]
        return _is_capitalised(trace.shown) and _stands_capitalised(trace, passage) and not self._is_place(trace)

    def _is_place(self, trace: Unit) -> bool:
        """Return whether the retracted texts name a place wherever they have this word."""
        sought = _forms(trace)
        found = [
            _place_at(pieces, index)
            for pieces in map(_pieces, self.texts)
            for index, piece in enumerate(pieces)
            if piece.casefold() in sought
        ]
        return bool(found) and all(found)

    def _is_everyday(self, number: str) -> bool:
        """Return whether a number is short, a date or a year: no number of a house or an account."""
        if len(number) <= FIGURE or _is_date_or_few_digits(number):
            return True
        if not _YEAR.fullmatch(number):
            return False
        followers = [
            pieces[index + 1]
            for pieces in map(_pieces, self.texts)
            for index, piece in enumerate(pieces[:-1])
            if piece == number
        ]
        return not any(map(_is_capitalised, followers))


def _names_something(identifier: str) -> bool:
    """Return whether an identifier may be a person's: no date, time, small figure or unit."""
    if _is_date_or_few_digits(identifier):
        return False
    if any(character.isdecimal() for character in identifier) or "@" in identifier:
        return True
    return any(len(part) >= PART_OF_NAME for part in _SEPARATOR.split(identifier)[1:])


def _is_date_or_few_digits(written: str) -> bool:
    """Return whether something is a date, a time, a part of one, or a figure of up to four digits in parts."""
    return bool(_DATE.fullmatch(written)) or bool(not written.isdecimal() and _FEW_DIGITS.fullmatch(written))


def _forms(trace: Unit) -> frozenset[str]:
    return frozenset({trace.shown.casefold(), *(needle.strip() for needle in trace.needles)})


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper()


def _stands_capitalised(trace: Unit, passage: str) -> bool:
    forms = _forms(trace)
    return any(_is_capitalised(word) and word.casefold() in forms for word in cased_tokens(clean(passage)))


@lru_cache(maxsize=256)
def _pieces(text: str) -> tuple[str, ...]:
    """Return the words and marks of a text, in the case they are written in."""
    return tuple(_PIECE.findall(clean(text)))


def _place_at(pieces: Sequence[str], index: int) -> bool:
    """Return whether the word at this place is part of a place's name, and of nobody's."""
    start, end = next(_places_around(pieces, index), (index, index + 1))
    before, after = "".join(pieces[start - 1 : start]), "".join(pieces[end : end + 1])
    if _may_be_name(after) or (_may_be_name(before) and not _is_place_name(before)) or after in ("'", "’"):
        return False
    known = _is_place_name(" ".join(pieces[start:end]))
    return known or (before.casefold() in _IN and not is_unspaced(pieces[index][0]))


def _places_around(pieces: Sequence[str], index: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches with this word that are names of places, the longest first."""
    for size in range(LONGEST_PLACE, 0, -1):
        for start in range(max(0, index - size + 1), index + 1):
            if start + size <= len(pieces) and " ".join(pieces[start : start + size]).casefold() in _places():
                yield start, start + size


def _is_place_name(words: str) -> bool:
    return words.casefold() in _places() and words.casefold() not in _ALSO_NAMES


def _may_be_name(piece: str) -> bool:
    return _is_capitalised(piece) and piece.casefold() not in COMMON_WORDS


@cache
def _places() -> frozenset[str]:
    """Return the countries, and the cities and regions of the time zone database, case-folded."""
    folder = resources.files("tzdata") / "zoneinfo"
    names: list[str] = []
    for table, column in (("iso3166.tab", 1), ("zone.tab", 2)):
        rows = (row.split("\t") for row in (folder / table).read_text(encoding="utf-8").splitlines())
        names += [row[column] for row in rows if len(row) > column and not row[0].startswith("#")]
    parts = (part for name in names for part in re.split(r"[/&()]", name.replace("_", " ")))
    return frozenset(" ".join(tokens(clean(part))) for part in parts if part.strip())
