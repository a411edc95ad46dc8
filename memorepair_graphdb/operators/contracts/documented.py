"""Says which members of a value a schema documents: cuts a value to them, and names those that it does not document.

`schemas.expanded` is for comparing contracts and leaves alternatives apart; here a field is documented where any
alternative documents it, since nothing says which of them the value follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .schemas import resolve

VALUE_DEPTH = 64
"""levels of a value that are read; what lies deeper counts as documented"""
REFERENCE_DEPTH = 16
"""references and alternatives that are followed from one place of a schema"""
_APPLICATORS = ("allOf", "anyOf", "oneOf")
_CONDITIONAL = ("then", "else")


@dataclass(slots=True)
class _Members:
    """What one place of a schema documents, its references and alternatives included."""

    properties: dict[str, Any] = field(default_factory=dict)
    patterns: dict[str, Any] = field(default_factory=dict)
    """regular expression of names → schema"""
    rest: Any = None
    """the schema of all other members, where it says something of them"""
    prefix: list[Any] = field(default_factory=list)
    items: Any = None

    @property
    def names_members(self) -> bool:
        """Whether it names any; a schema that names none leaves all of them open."""
        return bool(self.properties or self.patterns)

    def member(self, name: str) -> Any:
        """Return the schema of a member, None where it is not documented."""
        if name in self.properties:
            return self.properties[name]
        for pattern, schema in self.patterns.items():
            if _matches(pattern, name):
                return schema
        return self.rest

    def item(self, position: int) -> Any:
        """Return the schema of an item, None where it is open."""
        return self.prefix[position] if position < len(self.prefix) else self.items


def documented_part(value: Any, schema: Any) -> Any:
    """Return a JSON value without the fields that its schema does not document; what a schema leaves open stays."""
    return _cut(value, schema, schema, 0)


def undocumented_members(value: Any, schema: Any) -> Iterator[str]:
    """Yield the path to each member, however deep, that its schema does not document: `filter.branch`, `rows[0].x`.

    Whether the schema is open (`additionalProperties`) makes no difference: an open schema takes a member that it does
    not document, and a tool ignores it. An object whose schema names no members at all is left alone.
    """
    yield from _undocumented(value, schema, schema, "", 0)


def documents_no_member(schema: Any) -> bool:
    """Return whether a schema names no member of an object, and says nothing of those that it does not name."""
    members = _members(schema, schema, 0)
    return not members.names_members and members.rest is None


def _cut(value: Any, schema: Any, whole: Any, depth: int) -> Any:
    if not isinstance(schema, Mapping) or depth > VALUE_DEPTH:
        return value
    members = _members(schema, whole, 0)
    if isinstance(value, dict) and members.names_members:
        schemas = {name: members.member(name) for name in value}
        return {
            name: _cut(value[name], inner, whole, depth + 1) for name, inner in schemas.items() if inner is not None
        }
    if isinstance(value, list):
        return [_cut(item, members.item(position), whole, depth + 1) for position, item in enumerate(value)]
    return value


def _undocumented(value: Any, schema: Any, whole: Any, path: str, depth: int) -> Iterator[str]:
    if not isinstance(schema, Mapping) or depth > VALUE_DEPTH:
        return
    members = _members(schema, whole, 0)
    if isinstance(value, dict):
        for name, inner in value.items():
            step = f"{path}.{name}" if path else name
            documented = members.member(name)
            if documented is not None:
                yield from _undocumented(inner, documented, whole, step, depth + 1)
            elif members.names_members:
                yield step
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _undocumented(inner, members.item(position), whole, f"{path}[{position}]", depth + 1)


def _members(schema: Any, whole: Any, depth: int) -> _Members:
    members = _Members()
    if not isinstance(schema, Mapping) or depth > REFERENCE_DEPTH:
        return members
    parts = [resolve(schema["$ref"], whole)] if isinstance(schema.get("$ref"), str) else []
    for keyword in _APPLICATORS:
        parts.extend(schema.get(keyword) or ())
    parts.extend(schema[keyword] for keyword in _CONDITIONAL if keyword in schema)
    for part in parts:
        _add(members, _members(part, whole, depth + 1))
    rest = schema.get("additionalProperties")
    own = _Members(
        _schemas(schema.get("properties")),
        _schemas(schema.get("patternProperties")),
        rest if isinstance(rest, Mapping) and rest else None,
        list(schema.get("prefixItems") or ()),
        schema.get("items"),
    )
    _add(members, own)
    return members


def _schemas(named: Any) -> dict[str, Any]:
    """Return name → schema; a member whose schema is missing is documented all the same."""
    return {name: {} if schema is None else schema for name, schema in (named or {}).items()}


def _add(members: _Members, more: _Members) -> None:
    """Take in what another part of the schema documents; a member of both is documented where either documents it."""
    members.properties = _merged(members.properties, more.properties)
    members.patterns = _merged(members.patterns, more.patterns)
    members.rest = _either(members.rest, more.rest)
    members.prefix = more.prefix or members.prefix
    members.items = _either(members.items, more.items)


def _merged(some: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    return {**some, **{name: _either(some.get(name), schema) for name, schema in more.items()}}


def _either(one: Any, other: Any) -> Any:
    """Return a schema that documents what either does; None is no schema."""
    if one is None or one == other:
        return other
    return one if other is None else {"anyOf": [one, other]}


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return False
