"""Lists what a new contract changes, change by change, for a person to read and for a chain to be rewritten by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .compatibility import conversion, gives, takes
from .defaults import first_default_change, other_default_and_description
from .renames import renames
from .schemas import (
    Path,
    Schema,
    constraints,
    is_object,
    items,
    own_constraints,
    parameters,
    properties,
    required,
    response,
)
from .senses import sense_change, text_of, unit_changed
from .statements import result_restated

EACH = "[]"
"""The step of a path into the items of an array."""


class ChangeKind(StrEnum):
    """What a new contract does to a parameter or a field."""

    REMOVED = "removed"
    RENAMED = "renamed"
    ADDED = "added"
    ADDED_DEFAULT = "added with a default of its own"
    ADDED_REQUIRED = "added and required"
    REQUIRED = "required now"
    DEFAULT = "default changed"
    WIDENED = "takes more"
    CONVERTIBLE = "convertible"
    NARROWED = "says less"
    CHANGED = "changed"
    OPTIONAL = "may be absent now"
    UNIT = "unit changed"
    SENSE = "means something else"


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
    return (*parameter_changes(parameters(old), parameters(new)), *result_changes(old, new))


def result_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[ContractChange]:
    """Yield the changes of what comes back, by the schemas of two contracts and by what they say of it in words."""
    if result_restated(old, new):
        yield ContractChange("field", ChangeKind.SENSE, (), "the contract says that another thing is returned")
    yield from field_changes(response(old), response(new))


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
        if meaning := _moved_meaning(name, new_name, before, after):
            yield ContractChange("parameter", ChangeKind.SENSE, (name,), meaning)
        for kind, to in _value_changes(new_name, schema, after[new_name]):
            yield ContractChange("parameter", kind, (name,), to)
        if new_name in required(new) and name not in required(old):
            yield ContractChange("parameter", ChangeKind.REQUIRED, (name,))
    for name in sorted(after.keys() - before.keys() - set(renamed.values())):
        yield ContractChange("parameter", _kind_of_added(name, new), (name,))


def _kind_of_added(name: str, new: Schema) -> ChangeKind:
    if name in required(new):
        return ChangeKind.ADDED_REQUIRED
    return ChangeKind.ADDED_DEFAULT if first_default_change(name, None, properties(new)[name]) else ChangeKind.ADDED


def _moved_meaning(name: str, new_name: str, before: Mapping[str, Schema], after: Mapping[str, Schema]) -> str:
    """Return what changed in the sense of a parameter or field, or "": its own words, or it has another's now."""
    text = text_of(after[new_name])
    if text and text != text_of(before[name]):
        for other, schema in before.items():
            if other != name and text_of(schema) == text and text_of(after.get(other, {})) != text:
                return f"it is described as {other} was"
    return sense_change(new_name, before[name], after[new_name]) or other_default_and_description(
        before[name], after[new_name]
    )


def _value_changes(name: str, old: Schema, new: Schema) -> Iterator[tuple[ChangeKind, str]]:
    if unit_changed(old, new):
        yield ChangeKind.UNIT, ""
    if not takes(old, new):
        target = conversion(name, old, new)
        yield (ChangeKind.CONVERTIBLE, target) if target else (ChangeKind.CHANGED, "")
    elif constraints(old) != constraints(new):
        yield ChangeKind.WIDENED, ""
    if first_default_change(name, old, new):
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
    if old_items is not None and new_items is not None and own_constraints(old) == own_constraints(new):
        yield from field_changes(old_items, new_items, (*path, EACH))
    elif not gives(old, new):
        yield ContractChange("field", ChangeKind.CHANGED, path)
    elif constraints(old) != constraints(new):
        yield ContractChange("field", ChangeKind.NARROWED, path)


def _member_changes(old: Schema, new: Schema, path: Path) -> Iterator[ContractChange]:
    if own_constraints(old) != own_constraints(new):
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
        if meaning := _moved_meaning(name, new_name, before, after):
            yield ContractChange("field", ChangeKind.SENSE, (*path, name), meaning)
        if name in required(old) and new_name not in required(new):
            yield ContractChange("field", ChangeKind.OPTIONAL, (*path, name))
        yield from field_changes(schema, after[new_name], (*path, name))
    for name in sorted(after.keys() - before.keys() - set(renamed.values())):
        yield ContractChange("field", ChangeKind.ADDED, (*path, name))
