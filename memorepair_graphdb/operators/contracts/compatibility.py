"""Decides whether a new schema can take the place of an old one, for arguments and for responses.

Objects, arrays and alternatives are compared part by part, so that each part keeps its sense and its default; what they
hold is compared by jsoncompat, which is loaded then. What is uncertain counts as incompatible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...model.content import canonical_json
from .defaults import first_default_change
from .schemas import NOTES, Schema, constraints, is_object, items, own_constraints, properties, required
from .senses import is_opaque, sense_change, unit_changed
from .validation import schema_fault

_PLAIN_TEXT = {"type": "string"}
_UNREAD = frozenset({"pattern", "format", "contentEncoding", "contentMediaType"})
_ALTERNATIVES = ("anyOf", "oneOf")


def takes(old: Schema, new: Schema) -> bool:
    """Return whether the new schema takes every value that the old one documents, with the same meaning."""
    if not keeps_members(old, new):
        return False
    if constraints(old) == constraints(new):
        return True
    if old.get("format") != new.get("format"):
        return False
    return _takes_parts(old, new) or _is_compatible(old, new, "deserializer")


def gives(old: Schema, new: Schema) -> bool:
    """Return whether every value of the new schema is one that the old schema gives too."""
    if constraints(old) == constraints(new):
        return True
    return old.get("format") == new.get("format") and _is_compatible(old, new, "serializer")


def takes_value(value: Any, old: Schema, new: Schema) -> bool:
    """Return whether the new schema takes a value that the old one took, and reads each part of it as the old one did.

    `old` and `new` are schemas without references.
    """
    return not schema_fault(dict(new), value) and _reads_alike(value, old, new)


def conversion(name: str, old: Schema, new: Schema) -> str:
    """Return `str` or `list` where that turns every old value into a new one and loses nothing, else ""."""
    bare = {key: value for key, value in new.items() if key not in NOTES and not key.startswith("x-")}
    if bare == _PLAIN_TEXT and old.get("type") == "integer":
        return "" if is_opaque(name, new) else "str"
    inner = items(new)
    if inner is None or bare.keys() - {"type", "items"} or old.get("type") in ("array", "object", None):
        return ""
    return "list" if takes(old, inner) else ""


def keeps_members(old: Any, new: Any) -> bool:
    """Return whether the new schema documents all members, each with its default and its sense.

    jsoncompat does not ask: an open schema takes a member that it no longer documents, and ignores it. An object of
    which the new schema documents nothing at all is taken as it is.
    """
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return True
    before, after = properties(old), properties(new)
    if before and is_open(new):
        return True
    if before.keys() - after.keys():
        return False
    if any(first_default_change(name, before.get(name), after[name]) for name in after if before):
        return False
    parts = [(name, before[name], after[name]) for name in before]
    inner = items(old), items(new)
    if inner[0] is not None and inner[1] is not None:
        parts.append(("", inner[0], inner[1]))
    return all(_keeps_part(*part) for part in parts) and all(
        any(_keeps_part("", one, other) for other in new[way])
        for way in _ALTERNATIVES
        if way in old and way in new
        for one in old[way]
    )


def _keeps_part(name: str, old: Any, new: Any) -> bool:
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return True
    return not unit_changed(old, new) and not sense_change(name, old, new) and keeps_members(old, new)


def is_open(schema: Schema) -> bool:
    """Return whether a schema takes any object, and documents no member of it."""
    bare = {key: value for key, value in schema.items() if key not in NOTES and not key.startswith("x-")}
    if bare.keys() - {"type", "additionalProperties", "properties"} or bare.get("type") != "object":
        return False
    return not bare.get("properties") and bare.get("additionalProperties", True) in (True, {})


def _takes_parts(old: Schema, new: Schema) -> bool:
    """Return whether two objects, arrays or lists of alternatives fit part by part; False for all else."""
    if is_object(old) and is_object(new):
        return _takes_object(old, new)
    inner = items(old), items(new)
    if inner[0] is not None and inner[1] is not None:
        return own_constraints(old, "items") == own_constraints(new, "items") and takes(inner[0], inner[1])
    for way in _ALTERNATIVES:
        if way in old and way in new and own_constraints(old, way) == own_constraints(new, way):
            return _takes_alternatives(old[way], new[way], way == "oneOf")
    return False


def _takes_object(old: Schema, new: Schema) -> bool:
    before, after = properties(old), properties(new)
    if is_open(new):
        return True
    if not before or required(new) - required(old):
        return False
    if own_constraints(old) != own_constraints(new):
        return False
    return _takes_others(old, new) and all(takes(before[name], after[name]) for name in before)


def _takes_others(old: Schema, new: Schema) -> bool:
    """Return whether members that neither schema documents are taken as before; what is closed has none."""
    was, now = (_others(schema) for schema in (old, new))
    return (was in (True, False) and now in (True, False)) or canonical_json(was) == canonical_json(now)


def _others(schema: Schema) -> Any:
    """Return what a schema says of members that it does not document: False, True, or their schema."""
    others = schema.get("additionalProperties", True)
    return {"{}": True, '{"not":{}}': False}.get(canonical_json(others), others)


def _takes_alternatives(old: list[Any], new: list[Any], exclusive: bool) -> bool:
    """Return whether each old alternative has a new one that takes it, and no second one where only one may."""
    fits = [[number for number, other in enumerate(new) if takes(one, other)] for one in old]
    return all(len(numbers) == 1 if exclusive else numbers for numbers in fits)


def _reads_alike(value: Any, old: Schema, new: Schema) -> bool:
    if unit_changed(old, new) or old.get("format") != new.get("format"):
        return False
    for way in _ALTERNATIVES:
        olds, news = (_fitting(value, schema.get(way)) if way in schema else [schema] for schema in (old, new))
        if way in old or way in new:
            return any(_reads_alike(value, one, other) for one in olds for other in news)
    if isinstance(value, dict):
        return _reads_members_alike(value, properties(old), properties(new), is_open(new))
    inner = items(old) or {}, items(new) or {}
    return not isinstance(value, list) or all(_reads_alike(item, *inner) for item in value)


def _reads_members_alike(
    value: dict[str, Any], before: Mapping[str, Schema], after: Mapping[str, Schema], is_free: bool
) -> bool:
    if is_free:
        return True
    if value.keys() - after.keys() or any(
        first_default_change(name, before.get(name), after[name]) for name in after.keys() - value.keys()
    ):
        return False
    return all(
        not sense_change(name, before.get(name, {}), after[name])
        and _reads_alike(member, before.get(name, {}), after[name])
        for name, member in value.items()
    )


def _fitting(value: Any, alternatives: Any) -> list[Schema]:
    return [one for one in alternatives or () if isinstance(one, Mapping) and not schema_fault(dict(one), value)]


def _is_compatible(old: Schema, new: Schema, role: Any) -> bool:
    import jsoncompat

    reader, writer = (new, old) if role == "deserializer" else (old, new)
    if _unread_demands(reader) - _unread_demands(writer):
        return False
    try:
        return bool(jsoncompat.check_compat(canonical_json(old), canonical_json(new), role))
    except ValueError:
        return False


def _unread_demands(schema: Any) -> Counter[str]:
    """Count the demands in a schema that jsoncompat 0.3 takes for notes, wherever they stand."""
    found: Counter[str] = Counter()
    if isinstance(schema, Mapping):
        found.update(
            canonical_json({name: schema[name]}) for name in _UNREAD & schema.keys() if _is_demand(schema[name])
        )
        parts: Any = schema.values()
    else:
        parts = schema if isinstance(schema, list) else ()
    for part in parts:
        found.update(_unread_demands(part))
    return found


def _is_demand(value: Any) -> bool:
    """Return whether this is a keyword's value, and not the schema of a member that is called like the keyword."""
    return not isinstance(value, Mapping)
