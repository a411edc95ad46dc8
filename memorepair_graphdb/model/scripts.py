"""Knows the scripts that put no space between words, and those whose vowel signs are marks."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache

PHONETIC = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
HIRAGANA = "\u3040-\u309f"
IDEOGRAPHIC = f"{HIRAGANA}\u3005-\u3007\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
UNSPACED = PHONETIC + IDEOGRAPHIC
"""Thai and Lao, Burmese, Khmer, Japanese kana, Han: for a character class of `re`."""


def is_accent(character: str) -> bool:
    """Return whether a reader may leave a mark out: Latin accents, Hebrew points, Arabic vowels; no Indic vowel."""
    combining = unicodedata.combining(character)
    return combining == 1 or 10 <= combining <= 36 or combining >= 200


@cache
def vowel_marks() -> str:
    """Return the marks that belong to the word they stand in, such as Indic vowel signs, for a character class of `re`.

    Read from Python's Unicode tables once, in about 30 ms, by whoever first meets text that is not ASCII.
    """
    ranges: list[list[int]] = []
    for code in range(0x300, min(0x20000, sys.maxunicode)):
        character = chr(code)
        if unicodedata.category(character)[0] == "M" and not is_accent(character):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
