"""Compares what two schemas say of the sense of a value: its unit, where it counts from, which way round it is.

A type checker sees none of this: 3 cents are no 3 dollars, page 0 is no page 1, `verbose` is no `quiet`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .schemas import Schema
from .spelling import stem, stems_of, words_of

_UNITS = {
    "ms": "millisecond", "msec": "millisecond", "sec": "second", "secs": "second", "min": "minute", "hr": "hour",
    "km": "kilometer", "kilometre": "kilometer", "metre": "meter", "feet": "foot", "kg": "kilogram", "lb": "pound",
    "oz": "ounce", "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "percentage": "percent", "usd": "dollar",
    "eur": "euro",
}  # fmt: skip
"""Short or British name of a unit → the name that it is compared by."""
_UNIT = re.compile(
    r"\b(cent|dollar|euro|usd|eur|gbp|pence|celsius|fahrenheit|kelvin|millisecond|microsecond|second|minute|hour|day"
    r"|week|month|year|ms|epoch|unix|iso|utc|local|met(?:er|re)|kilomet(?:er|re)|km|mile|foot|feet|inch|gram|kilogram"
    r"|kg|pound|lb|ounce|percent|percentage|fraction|ratio|byte|kilobyte|megabyte|kb|mb|gb|degree|radian)s?\b"
)
_NAME_UNITS = frozenset({
    "ms", "msec", "millis", "milliseconds", "microseconds", "seconds", "secs", "minutes", "hours", "days",
    "weeks", "months", "years", "cents", "dollars", "usd", "eur", "gbp", "celsius", "fahrenheit", "kelvin",
    "km", "kilometers", "miles", "meters", "feet", "inches", "kg", "grams", "pounds", "ounces", "percent",
    "bytes", "kb", "mb", "gb", "radians", "degrees",
})  # fmt: skip
"""Words of a name that are units there; `min` and `second` alone are not, they name a least and an order."""

_FROM_ZERO = re.compile(
    r"\b(?:0|zero)[- ]?(?:based|indexed|origin)|\b(?:from|at|with) (?:0|zero)\b|\b(?:0|zero) (?:is|for|means) the first"
)
_FROM_ONE = re.compile(
    r"\b(?:1|one)[- ]?(?:based|indexed|origin)|\b(?:from|at|with) (?:1|one)\b|\b(?:1|one) (?:is|for|means) the first"
)
_COUNTED = frozenset(
    {"page", "index", "idx", "offset", "position", "line", "row", "column", "month", "weekday", "number"}
)
"""What is counted from 0 or from 1."""

_OPPOSITES = (
    ("include", "exclude"), ("enable", "disable"), ("show", "hide"), ("allow", "deny"),
    ("allow", "forbid"), ("allow", "block"), ("allow", "disallow"), ("accept", "reject"), ("verbose", "quiet"),
    ("verbose", "silent"), ("visible", "hidden"), ("public", "private"), ("ascending", "descending"), ("asc", "desc"),
    ("lock", "unlock"), ("keep", "drop"), ("keep", "remove"), ("keep", "delete"), ("skip", "include"), ("skip", "keep"),
    ("skip", "run"), ("ignore", "include"), ("ignore", "respect"), ("active", "inactive"), ("online", "offline"),
    ("sync", "async"), ("follow", "ignore"), ("case-sensitive", "case-insensitive"), ("sensitive", "insensitive"),
    )  # fmt: skip
"""Words that turn a name or a description round."""
_NAME_OPPOSITES = (
    *_OPPOSITES,
    ("before", "after"), ("since", "until"), ("from", "to"), ("from", "for"), ("start", "end"), ("first", "last"),
    ("min", "max"), ("minimum", "maximum"), ("on", "off"), ("open", "closed"), ("add", "remove"), ("source", "target"),
    ("sender", "recipient"), ("read", "write"), ("left", "right"), ("up", "down"), ("in", "out"), ("input", "output"),
    ("inbound", "outbound"), ("latitude", "longitude"), ("lat", "lon"), ("lat", "lng"), ("width", "height"),
    ("older", "newer"), ("oldest", "newest"), ("above", "below"), ("more", "less"), ("old", "new"), ("head", "base"),
)  # fmt: skip
"""Words that turn a name round; in a description they are too common to say anything."""
_NEGATIVE = re.compile(
    r"\b(?:not|no longer|never|without|invert\w*|inverse\w*|opposite|negat\w*|revers\w*|instead|unlike|rather than"
    r"|contrary|vice versa|flipped|other way|n't|cannot)\b|n['’]t\b"
)

_HEADS = (
    frozenset({"cursor", "token", "bookmark"}),
    frozenset({"page", "pages"}),
    frozenset({"offset"}),
    frozenset({"version", "revision", "release"}),
    frozenset({"id", "ids", "identifier", "uuid", "guid"}),
    frozenset({"number", "num"}),
    frozenset({"name", "names", "title"}),
    frozenset({"key", "slug"}),
    frozenset({"url", "uri", "link"}),
    frozenset({"path"}),
    frozenset({"index", "idx"}),
    frozenset({"date"}),
    frozenset({"time", "timestamp"}),
    frozenset({"count", "limit", "size"}),
    frozenset({"email"}),
    frozenset({"type", "kind"}),
    frozenset({"status", "state"}),
)
"""What the last word of a name says that it holds; a value of one kind is none of another."""
_OPAQUE = frozenset(
    {"cursor", "token", "bookmark", "opaque", "version", "revision", "semver", "date", "timestamp", "hash", "sha"}
)
"""What a text holds where a number written as text would be another value."""


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
    text = _text(new).replace(stated.casefold(), " ")
    old_text = f"{' '.join(words_of(before))}. {_text(old)}"
    if _units_of(before, _text(old)) != _units_of(after, text) or _is_opposite(before, after, _NAME_OPPOSITES):
        return False
    if _base_in(text) != _base_in(old_text) and _base_in(text) is not None:
        return False
    if None not in (_base(before, old), _base(after, new)) and _base(before, old) != _base(after, new):
        return False
    if _NEGATIVE.search(text) and not _NEGATIVE.search(old_text):
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
        _OPAQUE
        & {*words_of(name), *_text_words(_text(schema)), *_text_words(str(schema.get("title") or "").casefold())}
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
    return frozenset(_UNITS.get(unit, unit) for unit in _UNIT.findall(text))


def _units_of(name: str, text: str) -> frozenset[str]:
    named = " ".join(word for word in words_of(name) if word in _NAME_UNITS)
    return _units(f"{named} {text}")


def _base(name: str, schema: Schema) -> int | None:
    """Return 0 or 1 for the number that a value is counted from, None where the schema does not say."""
    text = _base_in(_text(schema))
    if text is not None or not _COUNTED & set(words_of(name)):
        return text
    for keyword in ("minimum", "default"):
        if schema.get(keyword) in (0, 1) and not isinstance(schema.get(keyword), bool):
            return int(schema[keyword])
    return None


def _base_in(text: str) -> int | None:
    zero, one = _FROM_ZERO.search(text) is not None, _FROM_ONE.search(text) is not None
    return None if zero == one else int(one)


def _is_opposite(old: str, new: str, opposites: tuple[tuple[str, str], ...] = _OPPOSITES) -> bool:
    """Return whether one text has a word of which the other has the opposite, and neither has both."""
    before, after = stems_of(old), stems_of(new)
    return any(
        one in before and other in after and other not in before and one not in after
        for pair in opposites
        for one, other in (tuple(map(stem, pair)), tuple(map(stem, pair[::-1])))
    )


def _head(name: str) -> frozenset[str] | None:
    last = words_of(name)[-1]
    return next((heads for heads in _HEADS if last in heads), None)
