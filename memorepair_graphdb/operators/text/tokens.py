"""Cuts cleaned text into tokens and written units."""

from __future__ import annotations

import re
from functools import cache

from ...model.scripts import PHONETIC, UNSPACED, vowel_marks
from .normalize import clean
from .stop_words import STOP_WORDS

_IS_UNSPACED = re.compile(rf"[{UNSPACED}]")
_IS_PHONETIC = re.compile(rf"[{PHONETIC}]")
IDEOGRAPH, SOUND = 2 / 3, 0.25
"""of a word, that a character is: 12 Chinese characters, or 32 Thai ones, say as much as 8 English words"""
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+")
_ASCII_UNIT = re.compile(r"[A-Za-z0-9_]++(?:[@/:.\-+#]++[A-Za-z0-9_]++)*+")


def tokens(cleaned: str) -> list[str]:
    """Return words and numbers, case-folded; a character each where the script has no spaces."""
    return cased_tokens(cleaned.casefold())


def cased_tokens(cleaned: str) -> list[str]:
    """Return what `tokens` does, but in the case they are written in."""
    return (_ASCII_TOKEN if cleaned.isascii() else _token()).findall(cleaned)


def spellings(text: str) -> dict[str, str]:
    """Return, for a text that is not cleaned, token → the word as it is spelt, case-folded, where that differs."""
    if text.isascii():
        return {}
    words = dict.fromkeys(word.casefold() for word in _written().findall(text) if not word.isascii())
    cuts = ((tokens(clean(word)), word) for word in words)
    return {parts[0]: word for parts, word in cuts if len(parts) == 1 and parts[0] != word}


def weight_of(token: str) -> float:
    """Return how much of a word a token is: 1, or a part of it where a token is one character of a longer word."""
    if not _IS_UNSPACED.match(token):
        return 1.0
    return SOUND if _IS_PHONETIC.match(token) else IDEOGRAPH


def is_phonetic(token: str) -> bool:
    """Return whether the token is one character, a sound, of a script without spaces, such as Thai."""
    return _IS_PHONETIC.match(token) is not None


def is_unspaced(token: str) -> bool:
    """Return whether the token is one character of a script without spaces."""
    return _IS_UNSPACED.match(token) is not None


def compounds(cleaned: str) -> list[str]:
    """Return written units with a digit, `_`, or one of `@ / : . - + #` inside, in the case they are written in."""
    units = (_ASCII_UNIT if cleaned.isascii() else _unit()).findall(cleaned)
    return [unit for unit in units if not unit.isalpha()]


def is_identifier(compound: str) -> bool:
    """Return whether a unit names a thing: letters beside digits, `@ _ / : .` inside, or digits in parts.

    Initials and stop words, as in `and/or`, are none.
    """
    parts = tokens(compound)
    if not parts or all(part in STOP_WORDS or (len(part) == 1 and not part.isdecimal()) for part in parts):
        return False
    digits = any(character.isdecimal() for character in compound)
    letters = any(character.isalpha() for character in compound)
    return (digits and (letters or len(parts) > 1)) or any(mark in compound.strip("_") for mark in "@_/:.")


@cache
def _token() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}]|{_letter()}[{vowel_marks()}]*(?:{_letter()}[{vowel_marks()}]*)*")


@cache
def _written() -> re.Pattern[str]:
    return re.compile(rf"(?:{_letter()}[{vowel_marks()}]*)+")


@cache
def _unit() -> re.Pattern[str]:
    word = rf"(?:\w[{vowel_marks()}]*+)++"
    return re.compile(rf"{word}(?:[@/:.\-+#]++{word})*+")


def _letter() -> str:
    """Return the pattern of a letter or digit of a script with spaces: `\\w` has no vowel signs that are marks."""
    return rf"[^\W_{UNSPACED}]"
