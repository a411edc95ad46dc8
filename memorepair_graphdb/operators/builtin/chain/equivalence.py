"""Compares a rewritten chain with the former one: only what the contracts change in calls and fields may differ.

The programs are compared as trees, without knowledge of how one was rewritten into the other: a check that used the
rewriter's own decisions would repeat its faults. A run shows a changed figure only where it decides something in that
run; a tree shows it always.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import zip_longest

from ....model.content import canonical_json
from ...contracts.schemas import Path, field_paths, parameters, properties, required, response
from .masking import ProgramMask
from .names import function_names
from .parsing import ToolCall, tool_calls, tree_of
from .recipe import ChainSkill


@dataclass(frozen=True, slots=True)
class MeaningChange:
    """A line, call or field of the former program, and what stands in its place."""

    before: str
    now: str


def first_meaning_change(before: str, now: str, skill: ChainSkill) -> MeaningChange | None:
    """Return the first difference that no change of a contract asks for; None where there is none."""
    return _Comparison(skill).first(tree_of(before), tree_of(now))


class _Comparison:
    """Compares two programs, each with the contracts that it was written for."""

    def __init__(self, skill: ChainSkill) -> None:
        self.skill = skill
        self.old = {tool: frozenset(field_paths(response(contract))) for tool, contract in skill.old.items()}
        self.new = {tool: frozenset(field_paths(response(contract))) for tool, contract in skill.new.items()}
        paths = frozenset().union(*self.old.values(), *self.new.values())
        self.fields = frozenset(path[-1] for path in paths)
        self.functions = function_names(skill.old), function_names(skill.new)

    def first(self, before: ast.Module, now: ast.Module) -> MeaningChange | None:
        """Return the first line, call or field that differs, in this order of kinds."""
        calls = zip(tool_calls(before, self.functions[0]), tool_calls(now, self.functions[1]), strict=False)
        call_change = next(
            (MeaningChange(_text(old), _text(new)) for old, new in calls if not self._is_same_call(old, new)), None
        )
        old, new = self._masks()
        for old_line, new_line in zip_longest(old.lines(before), new.lines(now), fillvalue=""):
            if old_line != new_line:
                return MeaningChange(old_line.strip(), new_line.strip())
        pairs = list(zip(old.field_names, new.field_names, strict=True))
        unexplained = (MeaningChange(*pair) for pair in pairs if not self._explains(*pair))
        return call_change or next(unexplained, self._mixed_up_fields(pairs))

    def _masks(self) -> tuple[ProgramMask, ProgramMask]:
        return ProgramMask(self.functions[0], self.fields), ProgramMask(self.functions[1], self.fields)

    def _explains(self, former: str, name: str) -> bool:
        """Return whether a field is still itself, or an object has lost the former name and gained the new one."""
        return former == name or bool(self._renamers(former, name))

    def _renamers(self, former: str, name: str) -> list[str]:
        """Return the tools whose response renames the field."""
        fields = {tool: self.new[now] for tool, now in self.skill.successors.items() if tool in self.old}
        return [tool for tool, new in fields.items() if _is_rename(former, name, self.old[tool], new)]

    def _mixed_up_fields(self, pairs: list[tuple[str, str]]) -> MeaningChange | None:
        """Return a field of a tool that has two names now, or shares one with another field of that tool."""
        seen: dict[tuple[str, bool, str], str] = {}
        for former, name in dict.fromkeys(pairs):
            tools = [] if former == name else self._renamers(former, name)
            if len(tools) == 1:
                (tool,) = tools
                if seen.setdefault((tool, True, former), name) != name:
                    return MeaningChange(former, name)
                if seen.setdefault((tool, False, name), former) != former:
                    return MeaningChange(former, name)
        return None

    def _is_same_call(self, one: ToolCall, other: ToolCall) -> bool:
        if self.skill.successors.get(one.tool) != other.tool:
            return False
        if one.dynamic or other.dynamic:
            before, now = _argument_values(one), _argument_values(other)
            return all(map(self._is_same_value, before, now)) and len(before) == len(now)
        documented = properties(parameters(self.skill.new[other.tool]))
        lost = one.arguments.keys() - other.arguments.keys()
        return not lost & documented.keys() and all(
            self._is_same_argument(name, one, other) for name in other.arguments
        )

    def _is_same_argument(self, name: str, one: ToolCall, other: ToolCall) -> bool:
        value = other.arguments[name].value
        if name in one.arguments:
            return self._is_same_value(one.arguments[name].value, value)
        lost = (argument.value for former, argument in one.arguments.items() if former not in other.arguments)
        return any(self._is_same_value(former, value) for former in lost) or self._is_documented(
            name, value, one, other
        )

    def _is_documented(self, name: str, value: ast.expr, one: ToolCall, other: ToolCall) -> bool:
        """Return whether a value is a literal that must be given now, or the default that was meant before."""
        try:
            literal = canonical_json(ast.literal_eval(value))
        except (ValueError, TypeError, SyntaxError):
            return False
        former = properties(parameters(self.skill.old[one.tool])).get(name, {})
        meant = "default" in former and canonical_json(former["default"]) == literal
        return meant or name in required(parameters(self.skill.new[other.tool]))

    def _is_same_value(self, one: ast.expr, other: ast.expr) -> bool:
        """Return whether two values are the same, but for fields renamed and a conversion around the second."""
        old, new = self._masks()
        if old.lines(one) == new.lines(other):
            return all(map(self._explains, old.field_names, new.field_names))
        inner = _conversion_argument(other)
        return inner is not None and self._is_same_value(one, inner)


def _argument_values(call: ToolCall) -> list[ast.expr]:
    return [*call.node.args, *(keyword.value for keyword in call.node.keywords)]


def _text(call: ToolCall) -> str:
    return ast.unparse(call.node)


def _conversion_argument(value: ast.expr) -> ast.expr | None:
    """Return what `str(…)` or `[…]` stands around; None where neither does."""
    if isinstance(value, ast.List) and len(value.elts) == 1:
        return value.elts[0]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "str":
        return value.args[0] if len(value.args) == 1 and not value.keywords else None
    return None


def _is_rename(former: str, name: str, old: frozenset[Path], new: frozenset[Path]) -> bool:
    """Return whether an object, at its place or at one that is new, lost the former name and gained the new one."""
    losers = [path[:-1] for path in old - new if path[-1] == former and (*path[:-1], name) not in old]
    gainers = [path[:-1] for path in new - old if path[-1] == name and (*path[:-1], former) not in new]
    return any(
        len(loser) == len(gainer) and (loser == gainer or loser not in new) for loser in losers for gainer in gainers
    )
