"""Compares what two schemas say of the sense of a value: its unit, where it counts from, which way round it is.

A type checker sees none of this: 3 cents are no 3 dollars, page 0 is no page 1, `verbose` is no `quiet`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .schemas import Schema
from .sense_words import (
    COUNTED,
    FROM_ONE,
    FROM_ZERO,
    HEADS,
    NAME_OPPOSITES,
    NAME_UNITS,
    NEGATIVE,
    OPAQUE,
    OPPOSITES,
    UNIT,
    UNITS,
)
from .spelling import stem, stems_of, words_of


def sense_change(name: str, old: Schema, new: Schema) -> str:
    """Return what changed in the sense of a value that kept its name, or ""; units are `unit_changed`'s affair."""
    if _base(name, old) != _base(name, new) and None not in (_base(name, old), _base(name, new)):
        return "counted from another first number"
    if "boolean" in (old.get("type"), new.get("type")) and _is_opposite(_text(old), _text(new)):
        return "the other way round"
    return ""


def keeps_sense(before: str, after: str, old: Schema, new: Schema, stated: str = "") -> bool:
    """Return whether a value under a new name has the sense that it had under the former one.

    `stated` is the sentence that names the former name: what it says of that name is no difference.
    """
    text = _text(new).replace(stated.casefold(), " ") if stated else _text(new)
    old_text = f"{' '.join(words_of(before))}. {_text(old)}"
    if _units_of(before, _text(old)) != _units_of(after, text) or _is_opposite(before, after, NAME_OPPOSITES):
        return False
    if _base_in(text) != _base_in(old_text) and _base_in(text) is not None:
        return False
    if None not in (_base(before, old), _base(after, new)) and _base(before, old) != _base(after, new):
        return False
    if NEGATIVE.search(text) and not NEGATIVE.search(old_text):
        return False
    if old.get("type") == "boolean" and {old.get("default"), new.get("default")} == {False, True}:
        return False
    heads = _head(before), _head(after)
    if None not in heads and heads[0] != heads[1]:
        return False
    return not (old.get("type") == "boolean" and _is_opposite(old_text, f"{' '.join(words_of(after))}. {text}"))


def is_opaque(name: str, schema: Schema) -> bool:
    """Return whether a text is a cursor, a version, a date or the like, in which a number would be another value."""
    return bool(
        OPAQUE & {*words_of(name), *_text_words(_text(schema)), *_text_words(str(schema.get("title") or "").casefold())}
    )


def unit_changed(old: Schema, new: Schema) -> bool:
    """Return whether both descriptions name units, and not the same ones."""
    before, after = _units(_text(old)), _units(_text(new))
    return bool(before and after and before != after)


def text_of(schema: Mapping[str, Any]) -> str:
    """Return the description of a schema, in one case and with single spaces."""
    return _text(schema)


def _text(schema: Mapping[str, Any]) -> str:
    return " ".join(str(schema.get("description") or "").casefold().split())


def _text_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text))


def _units(text: str) -> frozenset[str]:
    return frozenset(UNITS.get(unit, unit) for unit in UNIT.findall(text))


def _units_of(name: str, text: str) -> frozenset[str]:
    named = " ".join(word for word in words_of(name) if word in NAME_UNITS)
    return _units(f"{named} {text}")


def _base(name: str, schema: Schema) -> int | None:
    """Return 0 or 1 for the number that a value is counted from, None where the schema does not say."""
    text = _base_in(_text(schema))
    if text is not None or not COUNTED & set(words_of(name)):
        return text
    for keyword in ("minimum", "default"):
        if schema.get(keyword) in (0, 1) and not isinstance(schema.get(keyword), bool):
            return int(schema[keyword])
    return None


def _base_in(text: str) -> int | None:
    zero, one = FROM_ZERO.search(text) is not None, FROM_ONE.search(text) is not None
    return None if zero == one else int(one)


def _is_opposite(old: str, new: str, opposites: tuple[tuple[str, str], ...] = OPPOSITES) -> bool:
    """Return whether one text has a word of which the other has the opposite, and neither has both."""
    before, after = stems_of(old), stems_of(new)
    return any(
        one in before and other in after and other not in before and one not in after
        for pair in opposites
        for one, other in (tuple(map(stem, pair)), tuple(map(stem, pair[::-1])))
    )


def _head(name: str) -> frozenset[str] | None:
    last = words_of(name)[-1]
    return next((heads for heads in HEADS if last in heads), None)
