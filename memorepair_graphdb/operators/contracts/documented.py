"""Cuts a value to the fields that a schema documents.

`schemas.expanded` is for comparing contracts and leaves alternatives apart; here a field is documented where any
alternative documents it, since nothing says which of them the value follows.
"""

from __future__ import annotations

from typing import Any

from .schemas import resolve

VALUE_DEPTH = 64
"""levels of a value that are cut; what lies deeper stays as it is"""
REFERENCE_DEPTH = 16
"""references and alternatives that are followed from one place of a schema"""


def documented_part(value: Any, schema: Any) -> Any:
    """Return a JSON value without the fields that its schema does not document; what a schema leaves open stays."""
    return _cut(value, schema, schema, 0)


def _cut(value: Any, schema: Any, whole: Any, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > VALUE_DEPTH:
        return value
    properties, items = _members(schema, whole, 0)
    if isinstance(value, dict) and properties:
        return {key: _cut(value[key], properties[key], whole, depth + 1) for key in value if key in properties}
    if isinstance(value, list) and items is not None:
        return [_cut(item, items, whole, depth + 1) for item in value]
    return value


def _members(schema: Any, whole: Any, depth: int) -> tuple[dict[str, Any], Any]:
    """Return the properties and the items that a schema documents, also by reference and in its alternatives."""
    if not isinstance(schema, dict) or depth > REFERENCE_DEPTH:
        return {}, None
    properties: dict[str, Any] = {}
    items: Any = None
    parts = [resolve(schema["$ref"], whole)] if isinstance(schema.get("$ref"), str) else []
    for way in ("allOf", "anyOf", "oneOf"):
        parts.extend(schema.get(way) or ())
    for part in parts:
        more, inner = _members(part, whole, depth + 1)
        properties |= more
        items = inner if items is None else items
    properties |= schema.get("properties") or {}
    return properties, schema.get("items", items)
