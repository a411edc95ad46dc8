"""What the changes of a tool's parameters ask of one call of it.

The law of the room: a value that the contracts do not give is never invented, and none that a chain gives is lost.
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


@dataclass
class CallChange:
    """One call on its way from the old parameters to the new ones."""

    call: ToolCall
    old: Mapping[str, Schema]
    new: Mapping[str, Schema]
    presentational: Collection[str] = ()
    """parameters that the chain's owner says change no meaning"""
    dropped: list[Argument] = field(default_factory=list)
    added: dict[str, str] = field(default_factory=dict)

    def follow(self, changes: list[ContractChange], source: SourceEditor) -> list[str]:
        """Edit the source as the changes ask; gives the reasons for which it cannot be done."""
        renamed = {change.path[0]: change.to for change in changes if change.kind is ChangeKind.RENAMED}
        reasons = []
        for change in changes:
            name = change.path[0]
            given, now = self.call.arguments.get(name), renamed.get(name, name)
            if given is None:
                reasons.append(self._absent(change, now, changes))
            else:
                reasons.append(self._given(change, given, now, source))
        source.change_arguments(self.call, self.dropped, self.added)
        return [reason for reason in reasons if reason]

    def _given(self, change: ContractChange, given: Argument, now: str, source: SourceEditor) -> str:
        """What a change asks where the call gives the parameter."""
        match change.kind:
            case ChangeKind.RENAMED:
                source.rename_argument(given, change.to)
            case ChangeKind.CONVERTIBLE:
                source.wrap(given.value, *(("str(", ")") if change.to == "str" else ("[", "]")))
            case ChangeKind.REMOVED if self._may_go(given):
                self.dropped.append(given)
            case ChangeKind.CHANGED if _still_fits(given, self.old[given.name], self.new[now]):
                pass
            case ChangeKind.REMOVED | ChangeKind.CHANGED | ChangeKind.UNIT:
                return f"{change}, and the chain gives it"
        return ""

    def _absent(self, change: ContractChange, now: str, changes: list[ContractChange]) -> str:
        """What a change asks where the call is silent: what it meant by that is said, where the meaning changed."""
        old = self.old.get(change.path[0], {})
        if change.kind is ChangeKind.UNIT and "default" in old:
            return f"{change}, and the chain relies on its default"
        if change.kind not in (ChangeKind.DEFAULT, ChangeKind.REQUIRED, ChangeKind.ADDED_REQUIRED):
            return ""
        ways = [other.to for other in changes if other.kind is ChangeKind.CONVERTIBLE and other.path == change.path]
        known = [_converted(old["default"], ways)] if "default" in old else _only(self.new[now])
        if not known or schema_fault(dict(self.new[now]), known[0]):
            return f"{change}, and no value for it is documented"
        self.added[now] = repr(known[0])
        return ""

    def _may_go(self, given: Argument) -> bool:
        """Whether the result is the same without an argument: it says the default, or what is only for show."""
        old = self.old[given.name]
        if old.get(PRESENTATIONAL) is True or given.name in self.presentational:
            return True
        value = _literal(given.value)
        return bool(value) and "default" in old and canonical_json(value[0]) == canonical_json(old["default"])


def _still_fits(given: Argument, old: Schema, new: Schema) -> bool:
    """Whether an argument that stands in the source is one the new schema takes, by the same type of meaning."""
    value = _literal(given.value)
    if not value or isinstance(value[0], dict | list) or old.get("format") != new.get("format"):
        return False
    return not schema_fault(dict(new), value[0])


def _literal(node: ast.expr) -> list[Any]:
    """The JSON value of an expression in a list, [] where it is no literal of one."""
    try:
        value = ast.literal_eval(node)
        canonical_json(value)
    except (ValueError, TypeError, SyntaxError):
        return []
    return [value]


def _only(schema: Schema) -> list[Any]:
    """The value that a schema gives: its default, or the only one it takes; in a list, [] where there is none."""
    if "default" in schema:
        return [schema["default"]]
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return list(values) if len(values) == 1 else []


def _converted(value: Any, ways: list[str]) -> Any:
    return (str(value) if ways[0] == "str" else [value]) if ways else value
