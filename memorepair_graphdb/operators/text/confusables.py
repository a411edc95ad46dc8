"""Replaces letters of other alphabets by the Latin letters that they look like.

A word of one alphabet is replaced alike in both its cases; only a word of two alphabets is read letter by letter as it
looks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

_ASCII_LETTER = re.compile(r"[A-Za-z]")
_LATIN_NAME = re.compile(r"LATIN (?:SMALL |CAPITAL )?LETTER (?:SMALL CAPITAL |DOTLESS |SCRIPT )?([A-Z])(?: WITH .*)?")
_LATIN_BLOCKS = ((0x00C0, 0x0250), (0x1D00, 0x1D80), (0x1E00, 0x1F00), (0x2C60, 0x2C80), (0xA720, 0xA800))


@lru_cache(maxsize=65_536)
def as_latin(word: str) -> str:
    """Return the word with Latin letters where it has look-alikes of them; case is kept."""
    by_look, by_case = _tables()
    return word.translate(by_look if _ASCII_LETTER.search(word) else by_case)


@cache
def _tables() -> tuple[Mapping[int, str], Mapping[int, str]]:
    """Return each character as it looks, else as its other case looks; and each as its small form looks."""
    looks = {character: latin for character, latin in _looks() if character.isalnum()}
    by_look: dict[int, str] = {}
    by_case: dict[int, str] = {}
    for character in {*looks, *(form for look in looks for form in (look.lower(), look.upper()) if len(form) == 1)}:
        small, capital = character.lower(), character.upper()
        own, of_small, of_capital = looks.get(character), looks.get(small), looks.get(capital)
        other = own or of_small or of_capital
        alike = of_small or of_capital or own
        if other is not None and alike is not None:
            cased = str.upper if character.isupper() else str.lower if character.islower() else str
            by_look[ord(character)] = cased(other)
            by_case[ord(character)] = cased(alike)
    return by_look, by_case


def _looks() -> Iterator[tuple[str, str]]:
    """Yield characters beyond ASCII, with the ASCII letter or digit that they look like."""
    from confusable_homoglyphs.confusables import confusables_data  # here: a megabyte that ASCII text never needs

    for first, last in _LATIN_BLOCKS:
        for code in range(first, last):
            match = _LATIN_NAME.fullmatch(unicodedata.name(chr(code), ""))
            if match:
                yield chr(code), match[1]
    for character, others in confusables_data.items():
        if len(character) == 1 and not character.isascii():
            plain = [other["c"] for other in others if len(other["c"]) == 1 and other["c"].isascii()]
            letters = [letter for letter in plain if letter.isalnum()]
            if letters:
                yield character, _best_look(character, letters)


def _best_look(character: str, letters: list[str]) -> str:
    """Return the look in the character's own case: Unicode's table gives capital I, l and 1 one form."""
    if character.isupper() and set(letters) & set("Il1"):
        return "I"
    return min(letters, key=lambda look: (not look.isalpha(), look.isupper() != character.isupper(), look))
