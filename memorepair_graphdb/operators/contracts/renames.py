"""Which name of an old schema is which of a new one: the same, said so, or the same word spelt differently.

The law of the room: a rename is believed only where nothing else fits; likeness of meaning is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

from .schemas import FORMER, Schema, constraints

SIMILARITY = 0.9
"""Least likeness of two spellings, of the whole name and of each word: 1 for equal, 0 for nothing in common."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_SAID = r"(?:formerly|previously|renamed from|was called|replaces)\W+(?:known as|called|named)?\W*{name}(?![\w-])"
LOCATIONS = ("in", "x-location")
"""Where a parameter travels (path, query, header, body), under the keywords in use."""


def renames(old: Mapping[str, Schema], new: Mapping[str, Schema]) -> dict[str, str]:
    """Old name → new name, for the members of an object, or the parameters, that came back under another name."""
    gone = {name: old[name] for name in old if name not in new}
    come = {name: new[name] for name in new if name not in old}
    said = _unique(_pairs(gone, come, _is_said))
    rest = {name: gone[name] for name in gone if name not in said}
    left = {name: come[name] for name in come if name not in said.values()}
    return {**said, **_unique(_pairs(rest, left, is_respelt))}


def _pairs(gone: Mapping[str, Schema], come: Mapping[str, Schema], fits: Any) -> Iterator[tuple[str, str]]:
    for before, old in gone.items():
        for after, new in come.items():
            if _location(old) == _location(new) and fits(before, after, old, new):
                yield before, after


def _unique(pairs: Iterator[tuple[str, str]]) -> dict[str, str]:
    """The pairs in which each side has no other."""
    found = list(pairs)
    olds, news = [before for before, _ in found], [after for _, after in found]
    return {before: after for before, after in found if olds.count(before) == 1 and news.count(after) == 1}


def _is_said(before: str, after: str, old: Schema, new: Schema) -> bool:
    """The new contract names the old one, by a keyword or in words."""
    said = new.get(FORMER)
    if said == before or (isinstance(said, list) and before in said):
        return True
    text = f"{new.get('description') or ''}"
    return re.search(_SAID.format(name=re.escape(before)), text, re.IGNORECASE) is not None


def is_respelt(before: str, after: str, old: Schema, new: Schema) -> bool:
    """The same words in another style, or spelt a little differently, of the same type and said to be the same."""
    if _kind(old) != _kind(new):
        return False
    words, others = _words(before), _words(after)
    if words == others:
        return True
    if len(words) != len(others) or _text(old) != _text(new) or constraints(old) != constraints(new):
        return False
    return _alike("".join(words), "".join(others)) and all(map(_same_word, words, others))


def _same_word(one: str, other: str) -> bool:
    """Equal, one the other's plural, or two spellings: never two numbers, nor words with another beginning."""
    if one == other or one + "s" == other or other + "s" == one:
        return True
    return not (one + other).isdigit() and one[:2] == other[:2] and _alike(one, other)


def _alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= SIMILARITY


def _words(name: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _WORDS.findall(name)) or (name,)


def _location(schema: Schema) -> Any:
    return next((schema[keyword] for keyword in LOCATIONS if keyword in schema), None)


def _kind(schema: Schema) -> str:
    kind = schema.get("type")
    return str(sorted(kind) if isinstance(kind, list) else kind)


def _text(schema: Schema) -> str:
    return " ".join(str(schema.get("description") or "").casefold().split())
