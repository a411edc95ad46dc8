"""Gives one spelling to what reads the same: width, accents, characters without width, digits and look-alikes.

Case is kept, and ASCII text is returned as it is, but for commas between thousands.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from ...model.scripts import UNSPACED, is_accent
from .confusables import as_latin

_BEYOND = re.compile(r"[^\x00-\x7f]+")
_FOREIGN_LETTER = re.compile(rf"[^\W_\x00-\x7f{UNSPACED}]")
_WORD = re.compile(rf"[^\W_{UNSPACED}]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def clean(text: str) -> str:
    """Return the text in NFKC, without accents, characters without width and commas between thousands.

    Digits become ASCII, look-alikes Latin letters.

    A look-alike is what Unicode's table of confusables says (Technical Standard 39), as confusable-homoglyphs ships
    it. A word of one foreign alphabet is written in another way too, but all its spellings alike.
    """
    if not text.isascii():
        text = _BEYOND.sub(_plain, text)
        if _FOREIGN_LETTER.search(text):
            text = _WORD.sub(_latin, text)
    return _THOUSANDS.sub("", text) if "," in text else text


def _plain(match: re.Match[str]) -> str:
    return _plain_run(match[0])


@lru_cache(maxsize=4096)
def _plain_run(run: str) -> str:
    decomposed = unicodedata.normalize("NFKD", run)
    return unicodedata.normalize("NFC", "".join(map(_plain_character, decomposed)))


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf" or is_accent(character):
        return ""
    return str(unicodedata.digit(character)) if category == "Nd" else character


def _latin(match: re.Match[str]) -> str:
    word = match[0]
    return word if word.isascii() else as_latin(word)
