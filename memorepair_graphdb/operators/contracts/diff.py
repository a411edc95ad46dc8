"""Lists what a new contract changes, change by change, for a person to read and for a chain to be rewritten by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

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


@dataclass(frozen=True, slots=True)
class ContractChange:
    """A change of a parameter or of a field of the response; an added one has its new path, all others the old."""

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
    """Return all changes between two contracts of a tool: of its parameters, then of its response."""
    return (*parameter_changes(parameters(old), parameters(new)), *field_changes(response(old), response(new)))


def parameter_changes(old: Schema, new: Schema) -> Iterator[ContractChange]:
    """Yield the changes of what a call gives."""
    before, after = properties(old), properties(new)
    renamed = renames(before, after)
    for name, schema in before.items():
        new_name = renamed.get(name, name)
        if new_name not in after:
            yield ContractChange("parameter", ChangeKind.REMOVED, (name,))
            continue
        if new_name != name:
            yield ContractChange("parameter", ChangeKind.RENAMED, (name,), new_name)
        for kind, to in _value_changes(schema, after[new_name]):
            yield ContractChange("parameter", kind, (name,), to)
        if new_name in required(new) and name not in required(old):
            yield ContractChange("parameter", ChangeKind.REQUIRED, (name,))
    for name in sorted(after.keys() - before.keys() - set(renamed.values())):
        yield ContractChange(
            "parameter", ChangeKind.ADDED_REQUIRED if name in required(new) else ChangeKind.ADDED, (name,)
        )


def _value_changes(old: Schema, new: Schema) -> Iterator[tuple[ChangeKind, str]]:
    if unit_changed(old, new):
        yield ChangeKind.UNIT, ""
    if not takes(old, new):
        target = conversion(old, new)
        yield (ChangeKind.CONVERTIBLE, target) if target else (ChangeKind.CHANGED, "")
    elif constraints(old) != constraints(new):
        yield ChangeKind.WIDENED, ""
    if "default" in old and ("default" not in new or canonical_json(old["default"]) != canonical_json(new["default"])):
        yield ChangeKind.DEFAULT, ""


def field_changes(old: Schema, new: Schema, path: Path = ()) -> Iterator[ContractChange]:
    """Yield the changes of what comes back; none where the old contract says nothing of it."""
    if not old:
        return
    if unit_changed(old, new):
        yield ContractChange("field", ChangeKind.UNIT, path)
    if is_object(old) and is_object(new) and properties(old):
        yield from _member_changes(old, new, path)
        return
    old_items, new_items = items(old), items(new)
    if old_items is not None and new_items is not None and _own_constraints(old) == _own_constraints(new):
        yield from field_changes(old_items, new_items, (*path, EACH))
    elif not gives(old, new):
        yield ContractChange("field", ChangeKind.CHANGED, path)
    elif constraints(old) != constraints(new):
        yield ContractChange("field", ChangeKind.NARROWED, path)


def _member_changes(old: Schema, new: Schema, path: Path) -> Iterator[ContractChange]:
    if _own_constraints(old) != _own_constraints(new):
        yield ContractChange("field", ChangeKind.CHANGED, path)
    before, after = properties(old), properties(new)
    renamed = renames(before, after)
    for name, schema in before.items():
        new_name = renamed.get(name, name)
        if new_name not in after:
            yield ContractChange("field", ChangeKind.REMOVED, (*path, name))
            continue
        if new_name != name:
            yield ContractChange("field", ChangeKind.RENAMED, (*path, name), new_name)
        if name in required(old) and new_name not in required(new):
            yield ContractChange("field", ChangeKind.OPTIONAL, (*path, name))
        yield from field_changes(schema, after[new_name], (*path, name))
    for name in sorted(after.keys() - before.keys() - set(renamed.values())):
        yield ContractChange("field", ChangeKind.ADDED, (*path, name))


def _own_constraints(schema: Schema) -> str:
    """Return what a container demands of itself, apart from its members and items."""
    excluded = ("properties", "required", "additionalProperties", "items", "type")
    return constraints({key: value for key, value in schema.items() if key not in excluded})
