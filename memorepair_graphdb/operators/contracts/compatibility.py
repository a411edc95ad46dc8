"""Decides whether a new schema can take the place of an old one, for arguments and for responses (by jsoncompat).

What is uncertain counts as incompatible. jsoncompat is loaded when two schemas are first compared.
"""

from __future__ import annotations

import re
from typing import Any

from ...model.content import canonical_json
from .schemas import NOTES, Schema, constraints, items, properties

_UNIT = re.compile(
    r"\b(cent|dollar|euro|usd|eur|gbp|pence|celsius|fahrenheit|kelvin|millisecond|microsecond|second|minute|hour|day"
    r"|week|month|year|ms|epoch|unix|iso|utc|local|met(?:er|re)|kilomet(?:er|re)|km|mile|foot|feet|inch|gram|kilogram"
    r"|kg|pound|lb|ounce|percent|percentage|fraction|ratio|byte|kilobyte|megabyte|kb|mb|gb|degree|radian)s?\b"
)
_PLAIN_TEXT = {"type": "string"}


def takes(old: Schema, new: Schema) -> bool:
    """Return whether the new schema takes every value that the old one takes, with the same meaning."""
    if constraints(old) == constraints(new):
        return True
    return _has_same_format(old, new) and _keeps_members(old, new) and _is_compatible(old, new, "deserializer")


def gives(old: Schema, new: Schema) -> bool:
    """Return whether every value of the new schema is one that the old schema gives too."""
    if constraints(old) == constraints(new):
        return True
    return _has_same_format(old, new) and _is_compatible(old, new, "serializer")


def conversion(old: Schema, new: Schema) -> str:
    """Return `str` or `list` where that turns every old value into a new one and loses nothing, else ""."""
    bare = {key: value for key, value in new.items() if key not in NOTES and not key.startswith("x-")}
    if bare == _PLAIN_TEXT and old.get("type") == "integer":
        return "str"
    inner = items(new)
    if inner is None or bare.keys() - {"type", "items"} or old.get("type") in ("array", "object", None):
        return ""
    return "list" if takes(old, inner) else ""


def unit_changed(old: Schema, new: Schema) -> bool:
    """Return whether both descriptions name units, and not the same ones."""
    before, after = _units(old), _units(new)
    return bool(before and after and before != after)


def _units(schema: Schema) -> frozenset[str]:
    return frozenset(_UNIT.findall(str(schema.get("description") or "").casefold()))


def _has_same_format(old: Schema, new: Schema) -> bool:
    return old.get("format") == new.get("format")


def _keeps_members(old: Any, new: Any) -> bool:
    """Return whether the new schema documents all members, with their defaults.

    jsoncompat does not ask: an open schema takes a member that it no longer documents, and ignores it.
    """
    if not isinstance(old, dict) or not isinstance(new, dict):
        return True
    before, after = properties(old), properties(new)
    if before.keys() - after.keys() or any(
        before[name].get("default") != after[name].get("default") for name in before
    ):
        return False
    inner = items(old), items(new)
    return all(_keeps_members(before[name], after[name]) for name in before) and _keeps_members(*inner)


def _is_compatible(old: Schema, new: Schema, role: Any) -> bool:
    import jsoncompat

    try:
        return bool(jsoncompat.check_compat(canonical_json(old), canonical_json(new), role))
    except ValueError:
        return False
