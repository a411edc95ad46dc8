"""Finds renamed parameters and fields: the new contract says so, or the name is the same word spelt differently.

A rename is believed only where nothing else fits; likeness of meaning is never guessed.
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
_RENAMED = r"(?:formerly|previously|renamed from|was called|replaces)\W+(?:known as|called|named)?\W*{name}(?![\w-])"
LOCATIONS = ("in", "x-location")
"""Where a parameter travels (path, query, header, body), under the keywords in use."""


def renames(old: Mapping[str, Schema], new: Mapping[str, Schema]) -> dict[str, str]:
    """Return old name → new name, for the members of an object, or the parameters, that have another name now."""
    lost = {name: old[name] for name in old if name not in new}
    gained = {name: new[name] for name in new if name not in old}
    stated = _unique(_pairs(lost, gained, states_rename))
    other_lost = {name: lost[name] for name in lost if name not in stated}
    other_gained = {name: gained[name] for name in gained if name not in stated.values()}
    return {**stated, **_unique(_pairs(other_lost, other_gained, is_respelt))}


def _pairs(lost: Mapping[str, Schema], gained: Mapping[str, Schema], fits: Any) -> Iterator[tuple[str, str]]:
    for before, old in lost.items():
        for after, new in gained.items():
            if _location(old) == _location(new) and fits(before, after, old, new):
                yield before, after


def _unique(pairs: Iterator[tuple[str, str]]) -> dict[str, str]:
    """Return the pairs whose two names are in no other pair."""
    candidates = list(pairs)
    olds, news = [before for before, _ in candidates], [after for _, after in candidates]
    return {before: after for before, after in candidates if olds.count(before) == 1 and news.count(after) == 1}


def states_rename(before: str, after: str, old: Schema, new: Schema) -> bool:
    """Return whether the new schema names the old name, by a keyword or in its description."""
    former = new.get(FORMER)
    if former == before or (isinstance(former, list) and before in former):
        return True
    text = f"{new.get('description') or ''}"
    return re.search(_RENAMED.format(name=re.escape(before)), text, re.IGNORECASE) is not None


def is_respelt(before: str, after: str, old: Schema, new: Schema) -> bool:
    """Return whether two names are the same words in another style, or of equal schemas and nearly equal spelling."""
    if _kind(old) != _kind(new):
        return False
    words, others = _words(before), _words(after)
    if words == others:
        return True
    if len(words) != len(others) or _text(old) != _text(new) or constraints(old) != constraints(new):
        return False
    return _is_similar("".join(words), "".join(others)) and all(map(_is_same_word, words, others))


def _is_same_word(one: str, other: str) -> bool:
    """Return whether two words are equal, one is the other's plural, or both are spellings of one.

    Two numbers, or words with another beginning, are never spellings of one.
    """
    if one == other or one + "s" == other or other + "s" == one:
        return True
    return not (one + other).isdigit() and one[:2] == other[:2] and _is_similar(one, other)


def _is_similar(one: str, other: str) -> bool:
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
