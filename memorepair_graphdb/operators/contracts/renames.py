"""Finds renamed parameters and fields: the new contract says so, or the name is the same words in another style.

A rename is believed only where nothing else fits, and where type and sense stay; likeness of meaning is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...model.successors import REPLACES
from .schemas import FORMER, Schema, constraints, items
from .senses import keeps_sense, sense_change, text_of, unit_changed
from .spelling import is_plural, is_same_spelling, is_same_style

_RENAMED = (
    r"(?:^|(?<=[.;(])|(?<=[.;]\s)|(?<=\n))\s*"
    r"(?:(?:formerly|previously)(?: known as| called| named)?|renamed from|was (?:called|named)|used to be called"
    r"|replaces)"
    r"(?: the)?(?: former| old)?(?: parameter| field| argument)?[\s:]*(?P<quote>[`'\"]?)(?P<name>{name})(?P=quote)\s*"
    r"(?=$|[;)\n]|\.(?:\s|$|\)))"
)
"""A sentence, or what stands in brackets, that says the former name and nothing else."""
LOCATIONS = ("in", "x-location")
"""Where a parameter travels (path, query, header, body), under the keywords in use."""
_COUNTS = frozenset({"integer", "number", "boolean"})
"""Types of which a plural is another thing: `day` is a date, `days` is how many."""

Fits = Callable[[str, str, Schema, Schema], bool]


def renames(old: Mapping[str, Schema], new: Mapping[str, Schema]) -> dict[str, str]:
    """Return old name → new name, for the members of an object, or the parameters, that have another name now."""
    lost = {name: old[name] for name in old if name not in new}
    gained = {name: new[name] for name in new if name not in old}
    stated = _unique(_pairs(lost, gained, states_rename))
    other_lost = {name: lost[name] for name in lost if name not in stated}
    other_gained = {name: gained[name] for name in gained if name not in stated.values()}
    return {**stated, **_unique(_pairs(other_lost, other_gained, is_respelt))}


def _pairs(lost: Mapping[str, Schema], gained: Mapping[str, Schema], fits: Fits) -> Iterator[tuple[str, str]]:
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
    """Return whether the new schema names the old name, by a keyword or in its description, and keeps its sense."""
    if before in _former_names(new):
        return _kind(old) in (_kind(new), _kind(items(new) or {})) and keeps_sense(before, after, old, new)
    text = str(new.get("description") or "")
    sentence = re.search(_RENAMED.format(name=re.escape(before)), text, re.IGNORECASE)
    if sentence is None or sentence["name"] != before or _kind(old) != _kind(new):
        return False
    return keeps_sense(before, after, old, new, " ".join(sentence[0].split()))


def is_respelt(before: str, after: str, old: Schema, new: Schema) -> bool:
    """Return whether two names are the same words in another style, or another spelling of what is described alike."""
    if _kind(old) != _kind(new) or unit_changed(old, new) or sense_change(after, old, new):
        return False
    if is_same_style(before, after):
        return True
    if text_of(old) != text_of(new) or constraints(old) != constraints(new):
        return False
    if is_same_spelling(before, after):
        return True
    return _kind(old) not in _COUNTS and is_plural(before, after)


def _former_names(schema: Schema) -> list[Any]:
    """Return the names that the keywords of a schema say that it had."""
    said = [schema.get(FORMER), schema.get(REPLACES)]
    return [name for names in said for name in (names if isinstance(names, list) else [names]) if name is not None]


def _location(schema: Schema) -> Any:
    return next((schema[keyword] for keyword in LOCATIONS if keyword in schema), None)


def _kind(schema: Schema) -> str:
    kind = schema.get("type")
    return str(sorted(kind) if isinstance(kind, list) else kind)
