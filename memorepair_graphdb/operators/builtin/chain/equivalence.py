"""What no migration of a chain may change: its program, and of its calls and fields all but what the contracts change.

The law of the room: two programs are compared as trees, against the contracts; how one was made from the other is not
known here. A run feels a figure only where it decides something in that run; a tree shows it always.
"""

from __future__ import annotations

import ast
from itertools import zip_longest
from typing import NamedTuple

from ....model.content import canonical_json
from ...contracts.schemas import Path, field_paths, parameters, properties, required, response
from .masking import ProgramMask
from .names import function_names
from .parsing import ToolCall, tool_calls, tree_of
from .recipe import ChainSkill


class MeaningChange(NamedTuple):
    """A line of the former program, and what stands in its place."""

    before: str
    now: str


def first_meaning_change(before: str, now: str, skill: ChainSkill) -> MeaningChange | None:
    """Where a program parts from the former one in a way that no change of a contract asks for; None where nowhere."""
    return _Comparison(skill).first(tree_of(before), tree_of(now))


class _Comparison:
    """Two programs, each with the contracts that it was written for."""

    def __init__(self, skill: ChainSkill) -> None:
        self.skill = skill
        self.old = {tool: frozenset(field_paths(response(contract))) for tool, contract in skill.old.items()}
        self.new = {tool: frozenset(field_paths(response(contract))) for tool, contract in skill.new.items()}
        paths = frozenset().union(*self.old.values(), *self.new.values())
        self.fields = frozenset(path[-1] for path in paths)
        self.functions = function_names(skill.old), function_names(skill.new)

    def first(self, before: ast.Module, now: ast.Module) -> MeaningChange | None:
        """The first line, field or call that differs."""
        calls = zip(tool_calls(before, self.functions[0]), tool_calls(now, self.functions[1]), strict=False)
        called = next(
            (MeaningChange(_text(one), _text(other)) for one, other in calls if not self._same_call(one, other)), None
        )
        one, other = ProgramMask(self.functions[0], self.fields), ProgramMask(self.functions[1], self.fields)
        for line, place in zip_longest(one.lines(before), other.lines(now), fillvalue=""):
            if line != place:
                return MeaningChange(line.strip(), place.strip())
        pairs = list(zip(one.field_names, other.field_names, strict=True))
        return called or next(
            (MeaningChange(*pair) for pair in pairs if not self._explained(*pair)), self._mixed_up(pairs)
        )

    def _explained(self, former: str, name: str) -> bool:
        """Whether a field is still itself, or an object that had it has it no more and has gained the other."""
        return former == name or bool(self._renamers(former, name))

    def _renamers(self, former: str, name: str) -> list[str]:
        standing = {tool: self.new[now] for tool, now in self.skill.successors.items() if tool in self.old}
        return [tool for tool, new in standing.items() if _renamed(former, name, self.old[tool], new)]

    def _mixed_up(self, pairs: list[tuple[str, str]]) -> MeaningChange | None:
        """A field of a tool that goes by two names now, or shares one with another field of that tool."""
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

    def _same_call(self, one: ToolCall, other: ToolCall) -> bool:
        if self.skill.successors.get(one.tool) != other.tool:
            return False
        if one.dynamic or other.dynamic:
            return all(map(self._same, _given(one), _given(other))) and len(_given(one)) == len(_given(other))
        kept = properties(parameters(self.skill.new[other.tool]))
        lost = one.arguments.keys() - other.arguments.keys()
        return not lost & kept.keys() and all(self._same_argument(name, one, other) for name in other.arguments)

    def _same_argument(self, name: str, one: ToolCall, other: ToolCall) -> bool:
        value = other.arguments[name].value
        if name in one.arguments:
            return self._same(one.arguments[name].value, value)
        renamed = (given.value for former, given in one.arguments.items() if former not in other.arguments)
        return any(self._same(given, value) for given in renamed) or self._documented(name, value, one, other)

    def _documented(self, name: str, value: ast.expr, one: ToolCall, other: ToolCall) -> bool:
        """Whether a value is a literal that must be given now, or the default that was meant before."""
        try:
            literal = canonical_json(ast.literal_eval(value))
        except (ValueError, TypeError, SyntaxError):
            return False
        former = properties(parameters(self.skill.old[one.tool])).get(name, {})
        meant = "default" in former and canonical_json(former["default"]) == literal
        return meant or name in required(parameters(self.skill.new[other.tool]))

    def _same(self, one: ast.expr, other: ast.expr) -> bool:
        """Whether two values are the same, but for fields renamed and a conversion around the second."""
        marks = ProgramMask(self.functions[0], self.fields), ProgramMask(self.functions[1], self.fields)
        if marks[0].lines(one) == marks[1].lines(other):
            return all(map(self._explained, marks[0].field_names, marks[1].field_names))
        inner = _converted(other)
        return inner is not None and self._same(one, inner)


def _given(call: ToolCall) -> list[ast.expr]:
    return [*call.node.args, *(keyword.value for keyword in call.node.keywords)]


def _text(call: ToolCall) -> str:
    return ast.unparse(call.node)


def _converted(value: ast.expr) -> ast.expr | None:
    """What `str(…)` or `[…]` is around; None where neither is."""
    if isinstance(value, ast.List) and len(value.elts) == 1:
        return value.elts[0]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "str":
        return value.args[0] if len(value.args) == 1 and not value.keywords else None
    return None


def _renamed(former: str, name: str, old: frozenset[Path], new: frozenset[Path]) -> bool:
    """Whether an object, at its place or at one that is new, has the one no more and has gained the other."""
    gone = [path[:-1] for path in old - new if path[-1] == former and (*path[:-1], name) not in old]
    come = [path[:-1] for path in new - old if path[-1] == name and (*path[:-1], former) not in new]
    return any(len(one) == len(other) and (one == other or one not in new) for one in gone for other in come)
