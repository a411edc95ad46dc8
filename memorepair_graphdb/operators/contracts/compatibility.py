"""Does a new schema stand where an old one stood, for what is sent and for what comes back? (jsoncompat leads)

The law of the room: a doubt is a no. jsoncompat is loaded when two schemas are first compared.
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
    """Whether every value that the old schema takes is taken by the new one, and means what it meant."""
    if constraints(old) == constraints(new):
        return True
    return _same_format(old, new) and _names_kept(old, new) and _compatible(old, new, "deserializer")


def gives(old: Schema, new: Schema) -> bool:
    """Whether every value of the new schema is one that the old schema gives too."""
    if constraints(old) == constraints(new):
        return True
    return _same_format(old, new) and _compatible(old, new, "serializer")


def conversion(old: Schema, new: Schema) -> str:
    """`str` or `list` where that turns every old value into a new one and loses nothing, else ""."""
    bare = {key: value for key, value in new.items() if key not in NOTES and not key.startswith("x-")}
    if bare == _PLAIN_TEXT and old.get("type") == "integer":
        return "str"
    inner = items(new)
    alone = (
        inner is not None and not bare.keys() - {"type", "items"} and old.get("type") not in ("array", "object", None)
    )
    return "list" if alone and inner is not None and takes(old, inner) else ""


def unit_changed(old: Schema, new: Schema) -> bool:
    """Whether both descriptions name units, and not the same ones."""
    before, after = _units(old), _units(new)
    return bool(before and after and before != after)


def _units(schema: Schema) -> frozenset[str]:
    return frozenset(_UNIT.findall(str(schema.get("description") or "").casefold()))


def _same_format(old: Schema, new: Schema) -> bool:
    return old.get("format") == new.get("format")


def _names_kept(old: Any, new: Any) -> bool:
    """An open schema takes a member that it no longer documents, and ignores it."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return True
    before, after = properties(old), properties(new)
    if before.keys() - after.keys() or any(
        before[name].get("default") != after[name].get("default") for name in before
    ):
        return False
    inner = items(old), items(new)
    return all(_names_kept(before[name], after[name]) for name in before) and _names_kept(*inner)


def _compatible(old: Schema, new: Schema, role: Any) -> bool:
    import jsoncompat

    try:
        return bool(jsoncompat.check_compat(canonical_json(old), canonical_json(new), role))
    except ValueError:
        return False
