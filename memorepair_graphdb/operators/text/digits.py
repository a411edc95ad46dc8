"""Finds numbers however their digits are grouped, and reads words whose letters were typed as digits.

Numbers have four digits and more, since fewer are met by chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LEAST = 4
"""digits that identify a number, whatever stands between them"""
MOST = 24
"""digits that are joined; no number of a person is longer"""

_GROUPS = re.compile(r"(?<!\d)\d++(?:(?:[.,:'’_+]|[-/(] ?| [-/(]? ?|\) ?[-/(]? ?)\d++)++")
"""Groups of digits, with what stands between the groups of one number; a comma and a space part two."""
_GROUP = re.compile(r"\d+")
_DIGITS_TYPED = str.maketrans("oliOLI", "011011")
_LETTERS_TYPED = (str.maketrans("0134578", "oleastb"), str.maketrans("0134578", "oieastb"))


class Figure(NamedTuple):
    """Digits in one piece, and as they stand in the text."""

    digits: str
    shown: str


def figures(cleaned: str) -> Iterator[Figure]:
    """Yield every number of 4 to 24 digits: in one piece, inside a word, or as neighbouring groups of digits."""
    for match in _GROUP.finditer(cleaned):
        if len(match[0]) >= LEAST:
            yield Figure(match[0], match[0])
    for stretch in _GROUPS.finditer(cleaned):
        groups = list(_GROUP.finditer(cleaned, *stretch.span()))
        for first, start in enumerate(groups):
            digits = start[0]
            for end in groups[first + 1 : first + MOST]:
                digits += end[0]
                if len(digits) > MOST:
                    break
                if len(digits) >= LEAST:
                    yield Figure(digits, cleaned[start.start() : end.end()])


def typed_readings(token: str) -> tuple[str, ...]:
    """Return what a folded token of letters and digits may stand for: `3463l428o39` a number, `n0vak` a word."""
    digits = token.translate(_DIGITS_TYPED)
    if digits.isdecimal():
        return (digits,)
    words = dict.fromkeys(token.translate(table) for table in _LETTERS_TYPED)
    return tuple(word for word in words if word.isalpha())
