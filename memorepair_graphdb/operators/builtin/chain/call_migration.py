"""Rewrites one call of a tool as the changes of the tool's parameters ask.

A value that the contracts do not document is never invented, and no argument is dropped that could change the result.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....model.content import canonical_json
from ...contracts.diff import ChangeKind, ContractChange
from ...contracts.schemas import PRESENTATIONAL, Schema
from ...contracts.validation import schema_fault
from .parsing import Argument, ToolCall
from .source_edits import SourceEditor


@dataclass(slots=True)
class CallMigration:
    """Moves one call from the old parameters to the new ones; `follow` fills `dropped` and `added`."""

    call: ToolCall
    old: Mapping[str, Schema]
    new: Mapping[str, Schema]
    presentational: Collection[str] = ()
    """parameters that the chain's owner says change no meaning"""
    dropped: list[Argument] = field(default_factory=list)
    added: dict[str, str] = field(default_factory=dict)

    def follow(self, changes: list[ContractChange], source: SourceEditor) -> list[str]:
        """Edit the source as the changes ask; return the reasons for which it cannot be done."""
        renamed = {change.path[0]: change.to for change in changes if change.kind is ChangeKind.RENAMED}
        reasons = []
        for change in changes:
            name = change.path[0]
            argument, new_name = self.call.arguments.get(name), renamed.get(name, name)
            if argument is None:
                reasons.append(self._follow_without_argument(change, new_name, changes))
            else:
                reasons.append(self._follow_with_argument(change, argument, new_name, source))
        source.change_arguments(self.call, self.dropped, self.added)
        return [reason for reason in reasons if reason]

    def _follow_with_argument(
        self, change: ContractChange, argument: Argument, new_name: str, source: SourceEditor
    ) -> str:
        """Follow a change where the call gives the parameter; return why that cannot be done, or ""."""
        match change.kind:
            case ChangeKind.RENAMED:
                source.rename_argument(argument, change.to)
            case ChangeKind.CONVERTIBLE:
                source.wrap(argument.value, *(("str(", ")") if change.to == "str" else ("[", "]")))
            case ChangeKind.REMOVED if self._is_droppable(argument):
                self.dropped.append(argument)
            case ChangeKind.CHANGED if _still_fits(argument, self.old[argument.name], self.new[new_name]):
                pass
            case ChangeKind.REMOVED | ChangeKind.CHANGED | ChangeKind.UNIT:
                return f"{change}, and the chain gives it"
        return ""

    def _follow_without_argument(self, change: ContractChange, new_name: str, changes: list[ContractChange]) -> str:
        """Follow a change where the call does not give the parameter; return why that cannot be done, or "".

        Where leaving it out means something else now, the call gets the value that it meant before.
        """
        old = self.old.get(change.path[0], {})
        if change.kind is ChangeKind.UNIT and "default" in old:
            return f"{change}, and the chain relies on its default"
        if change.kind not in (ChangeKind.DEFAULT, ChangeKind.REQUIRED, ChangeKind.ADDED_REQUIRED):
            return ""
        conversions = [
            other.to for other in changes if other.kind is ChangeKind.CONVERTIBLE and other.path == change.path
        ]
        values = [_convert(old["default"], conversions)] if "default" in old else _only_value(self.new[new_name])
        if not values or schema_fault(dict(self.new[new_name]), values[0]):
            return f"{change}, and no value for it is documented"
        self.added[new_name] = repr(values[0])
        return ""

    def _is_droppable(self, argument: Argument) -> bool:
        """Return whether the result is the same without an argument: it says the default, or what is only for show."""
        old = self.old[argument.name]
        if old.get(PRESENTATIONAL) is True or argument.name in self.presentational:
            return True
        values = _literal(argument.value)
        return bool(values) and "default" in old and canonical_json(values[0]) == canonical_json(old["default"])


def _still_fits(argument: Argument, old: Schema, new: Schema) -> bool:
    """Return whether the new schema takes an argument that is a plain literal, and reads it in the same format."""
    values = _literal(argument.value)
    if not values or isinstance(values[0], dict | list) or old.get("format") != new.get("format"):
        return False
    return not schema_fault(dict(new), values[0])


def _literal(node: ast.expr) -> list[Any]:
    """Return the JSON value of an expression in a list, [] where it is no literal."""
    try:
        value = ast.literal_eval(node)
        canonical_json(value)
    except (ValueError, TypeError, SyntaxError):
        return []
    return [value]


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
