"""Parses a chain's source: its syntax tree, its tool calls, and what makes these impossible to read for certain."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from tenacity import retry, retry_if_exception_type, stop_after_attempt

from ....model.content import canonical_json
from .sandbox import SOURCE_BYTES
from .tool_host import ChainFailed

TRIES = 10
"""parses of a source at most, where another parse in the process, which no lock of ours holds, disturbs one"""
_parse_lock = Lock()
DYNAMIC = frozenset({"eval", "exec", "globals", "locals", "vars", "getattr", "setattr", "compile", "__import__"})
"""Functions by which a chain could reach a tool, or a value, under a name that does not stand in its source."""


@retry(retry=retry_if_exception_type(SystemError), stop=stop_after_attempt(TRIES), reraise=True)
def tree_of(source: str) -> ast.Module:
    """Parse a source as Python; raises what `ast.parse` does for what is none.

    CPython may count the depth of all parses of a process in one place: two at once end in a SystemError that says
    nothing of the source (3.11.7: 77 of 600, four threads that are switched as often as can be).
    """
    with _parse_lock:
        return ast.parse(source)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool call: a keyword, or an entry of a dict that is spread."""

    name: str
    value: ast.expr
    holder: ast.keyword
    """the keyword, or the spread that it stands in"""
    key: ast.expr | None
    """the entry's key; None for a keyword"""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool in the source."""

    tool: str
    node: ast.Call
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    dynamic: bool = False
    """whether arguments are spread from something that is no literal dict"""

    @property
    def literals(self) -> dict[str, Any] | None:
        """The arguments by name where all of them stand in the source as values, else None."""
        values = {name: literal_of(argument.value) for name, argument in self.arguments.items()}
        return None if self.dynamic or not all(values.values()) else {name: held[0] for name, held in values.items()}


def literal_of(node: ast.expr) -> list[Any]:
    """Return the JSON value of an expression in a list, [] where it is no literal."""
    try:
        value = ast.literal_eval(node)
        canonical_json(value)
    except (ValueError, TypeError, SyntaxError):
        return []
    return [value]


def parse(source: str) -> ast.Module:
    """Return the tree of a source with one `def chain`; raises `ChainFailed` for another."""
    if len(source.encode("utf-8", "surrogatepass")) > SOURCE_BYTES:
        raise ChainFailed(f"the chain has more than {SOURCE_BYTES} bytes of source")
    try:
        tree = tree_of(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ChainFailed(f"the chain is no Python: {' '.join(str(error).split())}") from error
    if (count := len(_chains(tree))) != 1:
        raise ChainFailed(f"a chain defines chain(…) once, not {count} times")
    return tree


def chain_of(tree: ast.Module) -> ast.FunctionDef:
    """Return the `def chain` of a tree that `parse` returned."""
    return _chains(tree)[0]


def tool_calls(tree: ast.Module, functions: Mapping[str, str]) -> list[ToolCall]:
    """Return the calls of tools in the order of the source; `functions` are the tools by the name of their function."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _function_of(node) in functions]
    return sorted(
        (_tool_call(node, functions[_function_of(node)]) for node in calls), key=lambda call: _position(call.node)
    )


def stray_fault(tree: ast.Module, functions: Mapping[str, str]) -> str:
    """Return what hides which tools a source calls, or "": a tool passed on or redefined, or names made at run time."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in functions and id(node) not in called:
            return f"line {node.lineno}: {node.id} is a tool; it is called, not passed on or assigned"
        if isinstance(node, ast.Name) and node.id in DYNAMIC:
            return f"line {node.lineno}: {node.id} hides which tools are called"
        if isinstance(node, ast.Name) and node.id in ("_call", "_json", "_arguments"):
            return f"line {node.lineno}: {node.id} is the sandbox's own name"
        if isinstance(node, ast.Global | ast.Nonlocal):
            return f"line {node.lineno}: a chain keeps to its own names; it has no global or nonlocal"
    if redefined := sorted(bound_names(tree) & functions.keys()):
        return f"{', '.join(redefined)} is a tool, and redefined"
    return ""


def bound_names(tree: ast.Module) -> frozenset[str]:
    """Return every name that a source binds, in any way and scope."""
    return frozenset(_bindings(tree))


def _bindings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name


def _chains(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "chain"]


def _function_of(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _position(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _tool_call(node: ast.Call, tool: str) -> ToolCall:
    arguments: dict[str, Argument] = {}
    dynamic = bool(node.args)
    for holder in node.keywords:
        if holder.arg is not None:
            arguments[holder.arg] = Argument(holder.arg, holder.value, holder, None)
        elif isinstance(holder.value, ast.Dict):
            for key, value in zip(holder.value.keys, holder.value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    arguments[key.value] = Argument(key.value, value, holder, key)
                else:
                    dynamic = True
        else:
            dynamic = True
    return ToolCall(tool, node, arguments, dynamic)
