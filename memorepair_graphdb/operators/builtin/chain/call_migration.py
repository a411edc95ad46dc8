"""Rewrites one call of a tool as the changes of the tool's parameters ask.

A value that the contracts do not document is never invented, and no argument is dropped that could change the result.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....model.content import canonical_json
from ...contracts.compatibility import takes_value
from ...contracts.defaults import acts, outlives, takes_place
from ...contracts.diff import ChangeKind, ContractChange
from ...contracts.schemas import PRESENTATIONAL, Schema, parameters, properties
from ...contracts.statements import value_restated
from ...contracts.validation import schema_fault
from .parsing import Argument, ToolCall, literal_of
from .source_edits import SourceEditor

ADDITIONS = frozenset({ChangeKind.ADDED, ChangeKind.ADDED_DEFAULT, ChangeKind.ADDED_REQUIRED})


@dataclass(slots=True)
class CallMigration:
    """Moves one call from an old contract to a new one; `follow` fills `dropped` and `added`."""

    call: ToolCall
    old_contract: Mapping[str, Any]
    new_contract: Mapping[str, Any]
    presentational: Collection[str] = ()
    """parameters that the chain's owner says change no meaning"""
    dropped: list[Argument] = field(default_factory=list)
    added: dict[str, str] = field(default_factory=dict)
    old: Mapping[str, Schema] = field(init=False)
    new: Mapping[str, Schema] = field(init=False)

    def __post_init__(self) -> None:
        self.old, self.new = properties(parameters(self.old_contract)), properties(parameters(self.new_contract))

    def follow(self, changes: Sequence[ContractChange], source: SourceEditor) -> list[str]:
        """Edit the source as the changes ask; return the reasons for which it cannot be done."""
        renamed = {change.path[0]: change.to for change in changes if change.kind is ChangeKind.RENAMED}
        reasons = []
        for change in changes:
            name = change.path[0]
            argument, new_name = self.call.arguments.get(name), renamed.get(name, name)
            if change.kind in ADDITIONS or argument is None:
                reasons.append(self._follow_without_argument(change, new_name, changes))
            else:
                reasons.append(self._follow_with_argument(change, argument, new_name, changes, source))
        reasons += [self._value_reason(argument, renamed) for argument in self.call.arguments.values()]
        source.change_arguments(self.call, self.dropped, self.added)
        return [reason for reason in reasons if reason]

    def _follow_with_argument(
        self,
        change: ContractChange,
        argument: Argument,
        new_name: str,
        changes: Sequence[ContractChange],
        source: SourceEditor,
    ) -> str:
        """Follow a change where the call gives the parameter; return why that cannot be done, or ""."""
        match change.kind:
            case ChangeKind.RENAMED:
                source.rename_argument(argument, change.to)
            case ChangeKind.CONVERTIBLE:
                source.wrap(argument.value, *(("str(", ")") if change.to == "str" else ("[", "]")))
            case ChangeKind.REMOVED if self._is_droppable(argument, changes):
                self.dropped.append(argument)
            case ChangeKind.CHANGED if _still_fits(argument, self.old[argument.name], self.new[new_name]):
                pass
            case ChangeKind.REMOVED | ChangeKind.CHANGED | ChangeKind.UNIT | ChangeKind.SENSE:
                return f"{change}, and the chain gives it"
        return ""

    def _follow_without_argument(self, change: ContractChange, new_name: str, changes: Sequence[ContractChange]) -> str:
        """Follow a change where the call does not give the parameter; return why that cannot be done, or "".

        Where leaving it out means something else now, the call gets the value that it meant before.
        """
        old, new = self.old.get(change.path[0], {}), self.new.get(new_name, {})
        match change.kind:
            case ChangeKind.UNIT | ChangeKind.SENSE if "default" in old:
                return f"{change}, and the chain relies on its default"
            case ChangeKind.REMOVED if "default" in old and not self._outlives(change.path[0], changes):
                return f"{change}, and the chain relies on its default"
            case ChangeKind.ADDED_DEFAULT:
                return f"{change}, and nothing says that this was so before"
            case ChangeKind.DEFAULT if "default" not in old:
                return f"{change}, and nothing says what it was before"
            case ChangeKind.DEFAULT | ChangeKind.REQUIRED | ChangeKind.ADDED_REQUIRED:
                pass
            case _:
                return ""
        conversions = [
            other.to for other in changes if other.kind is ChangeKind.CONVERTIBLE and other.path == change.path
        ]
        values = [_convert(old["default"], conversions)] if "default" in old else _only_value(new)
        if not values or schema_fault(dict(new), values[0]):
            return f"{change}, and no value for it is documented"
        if "default" not in old and acts(new_name, new, values[0]):
            return f"{change}, and its value {canonical_json(values[0])} is for a caller to decide"
        self.added[new_name] = repr(values[0])
        return ""

    def _value_reason(self, argument: Argument, renamed: Mapping[str, str]) -> str:
        """Return why a text that is given is not what it was, or "": its description says another thing of it."""
        old, new = self.old.get(argument.name), self.new.get(renamed.get(argument.name, argument.name))
        values = literal_of(argument.value)
        if old is None or new is None or not values or not isinstance(values[0], str) or not values[0]:
            return ""
        if not value_restated(values[0], old, new):
            return ""
        return f"parameter {argument.name}: {values[0]!r} is described as something else now, and the chain gives it"

    def _is_droppable(self, argument: Argument, changes: Sequence[ContractChange]) -> bool:
        """Return whether the result is the same without an argument: it says the default, or what is only for show."""
        old = self.old[argument.name]
        if old.get(PRESENTATIONAL) is True or argument.name in self.presentational:
            return True
        values = literal_of(argument.value)
        if not values or "default" not in old or canonical_json(values[0]) != canonical_json(old["default"]):
            return False
        return self._outlives(argument.name, changes)

    def _outlives(self, name: str, changes: Sequence[ContractChange]) -> bool:
        """Return whether the default of a removed parameter is in force still, and nothing was added in its place."""
        old = self.old[name]
        texts = (str(contract.get("description") or "") for contract in (self.old_contract, self.new_contract))
        added = {change.path[0]: self.new[change.path[0]] for change in changes if change.kind in ADDITIONS}
        return outlives(name, old, *texts) and not any(
            takes_place(name, old, other, schema) for other, schema in added.items()
        )


def _still_fits(argument: Argument, old: Schema, new: Schema) -> bool:
    """Return whether the new schema takes an argument that is a literal, and reads all of it as the old one did."""
    values = literal_of(argument.value)
    return bool(values) and takes_value(values[0], old, new)


def _only_value(schema: Schema) -> list[Any]:
    """Return the value that a schema gives in a list: its default, or the only one it takes; [] where there is none."""
    if "default" in schema:
        return [schema["default"]]
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return list(values) if len(values) == 1 else []


def _convert(value: Any, conversions: list[str]) -> Any:
    if not conversions:
        return value
    return str(value) if conversions[0] == "str" else [value]
