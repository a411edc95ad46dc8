"""What a new contract changes, change by change, for a person to read and for a chain to be rewritten by.

The law of the room: every change has one name; what is a rename is said to be one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from ...model.content import canonical_json
from .compatibility import conversion, gives, takes, unit_changed
from .renames import renames
from .schemas import Path, Schema, constraints, is_object, items, parameters, properties, required, response

EACH = "[]"
"""The step of a path into the items of an array."""


class ChangeKind(StrEnum):
    """What a new contract does to a parameter or a field."""

    REMOVED = "removed"
    RENAMED = "renamed"
    ADDED = "added"
    ADDED_REQUIRED = "added and required"
    REQUIRED = "required now"
    DEFAULT = "default changed"
    WIDENED = "takes more"
    CONVERTIBLE = "convertible"
    NARROWED = "says less"
    CHANGED = "changed"
    OPTIONAL = "may be absent now"
    UNIT = "unit changed"


class ContractChange(NamedTuple):
    """One change of a parameter or of a field of the response; what was added has its new path, all else the old."""

    side: str
    """parameter or field"""
    kind: ChangeKind
    path: Path
    to: str = ""
    """the new name, or the conversion"""

    def __str__(self) -> str:
        name = ".".join(self.path).replace(f".{EACH}", EACH) or "the response"
        return f"{self.side} {name} {self.kind}{f' ({self.to})' if self.to else ''}"


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[ContractChange, ...]:
    """All changes between two contracts of a tool: of its parameters, then of its response."""
    return (*parameter_changes(parameters(old), parameters(new)), *field_changes(response(old), response(new)))


def parameter_changes(old: Schema, new: Schema) -> Iterator[ContractChange]:
    """The changes of what a call gives."""
    before, after = properties(old), properties(new)
    renamed = renames(before, after)
    for name, schema in before.items():
        now = renamed.get(name, name)
        if now not in after:
            yield ContractChange("parameter", ChangeKind.REMOVED, (name,))
            continue
        if now != name:
            yield ContractChange("parameter", ChangeKind.RENAMED, (name,), now)
        for kind, to in _of_parameter(schema, after[now]):
            yield ContractChange("parameter", kind, (name,), to)
        if now in required(new) and name not in required(old):
            yield ContractChange("parameter", ChangeKind.REQUIRED, (name,))
    for name in sorted(after.keys() - before.keys() - set(renamed.values())):
        yield ContractChange(
            "parameter", ChangeKind.ADDED_REQUIRED if name in required(new) else ChangeKind.ADDED, (name,)
        )


def _of_parameter(old: Schema, new: Schema) -> Iterator[tuple[ChangeKind, str]]:
    if unit_changed(old, new):
        yield ChangeKind.UNIT, ""
    if not takes(old, new):
        way = conversion(old, new)
        yield (ChangeKind.CONVERTIBLE, way) if way else (ChangeKind.CHANGED, "")
    elif constraints(old) != constraints(new):
        yield ChangeKind.WIDENED, ""
    if "default" in old and ("default" not in new or canonical_json(old["default"]) != canonical_json(new["default"])):
        yield ChangeKind.DEFAULT, ""


def field_changes(old: Schema, new: Schema, path: Path = ()) -> Iterator[ContractChange]:
    """The changes of what comes back; an old contract that says nothing of it changes nothing."""
    if not old:
        return
    if unit_changed(old, new):
        yield ContractChange("field", ChangeKind.UNIT, path)
    if is_object(old) and is_object(new) and properties(old):
        yield from _members(old, new, path)
        return
    inner, other = items(old), items(new)
    if inner is not None and other is not None and _frame(old) == _frame(new):
        yield from field_changes(inner, other, (*path, EACH))
    elif not gives(old, new):
        yield ContractChange("field", ChangeKind.CHANGED, path)
    elif constraints(old) != constraints(new):
        yield ContractChange("field", ChangeKind.NARROWED, path)


def _members(old: Schema, new: Schema, path: Path) -> Iterator[ContractChange]:
    if _frame(old) != _frame(new):
        yield ContractChange("field", ChangeKind.CHANGED, path)
    before, after = properties(old), properties(new)
    renamed = renames(before, after)
    for name, schema in before.items():
        now = renamed.get(name, name)
        if now not in after:
            yield ContractChange("field", ChangeKind.REMOVED, (*path, name))
            continue
        if now != name:
            yield ContractChange("field", ChangeKind.RENAMED, (*path, name), now)
        if name in required(old) and now not in required(new):
            yield ContractChange("field", ChangeKind.OPTIONAL, (*path, name))
        yield from field_changes(schema, after[now], (*path, name))
    for name in sorted(after.keys() - before.keys() - set(renamed.values())):
        yield ContractChange("field", ChangeKind.ADDED, (*path, name))


def _frame(schema: Schema) -> str:
    """What a container demands of itself, apart from what it holds."""
    apart = ("properties", "required", "additionalProperties", "items", "type")
    return constraints({key: value for key, value in schema.items() if key not in apart})
