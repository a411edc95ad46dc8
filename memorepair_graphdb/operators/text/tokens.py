"""Cuts cleaned text into tokens and written units."""

from __future__ import annotations

import re

from .normalize import clean
from .scripts import UNSPACED
from .stop_words import STOP_WORDS

_IS_UNSPACED = re.compile(rf"[{UNSPACED}]")
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+")
_TOKEN = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
_WRITTEN = re.compile(rf"[^\W_{UNSPACED}]+")
_UNIT = re.compile(r"\w++(?:[@/:.\-+#]++\w++)*+")


def tokens(cleaned: str) -> list[str]:
    """Return words and numbers, case-folded; a character each where the script has no spaces."""
    return cased_tokens(cleaned.casefold())


def cased_tokens(cleaned: str) -> list[str]:
    """Return what `tokens` does, but in the case they are written in."""
    return (_ASCII_TOKEN if cleaned.isascii() else _TOKEN).findall(cleaned)


def spellings(text: str) -> dict[str, str]:
    """Return, for a text that is not cleaned, token → the word as it is spelt, case-folded, where that differs."""
    if text.isascii():
        return {}
    words = dict.fromkeys(word.casefold() for word in _WRITTEN.findall(text) if not word.isascii())
    cuts = ((tokens(clean(word)), word) for word in words)
    return {parts[0]: word for parts, word in cuts if len(parts) == 1 and parts[0] != word}


def is_unspaced(token: str) -> bool:
    """Return whether the token is one character of a script without spaces."""
    return _IS_UNSPACED.match(token) is not None


def compounds(cleaned: str) -> list[str]:
    """Return written units with a digit, `_`, or one of `@ / : . - + #` inside, in the case they are written in."""
    return [unit for unit in _UNIT.findall(cleaned) if not unit.isalpha()]


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
