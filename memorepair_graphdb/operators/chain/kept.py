"""What of a chain no migration may change: everything but its tool calls and the fields that it reads.

The law of the room: the two programs are compared as trees; how one was made from the other is not known here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from .contract import response
from .names import function_names

Contracts = Mapping[str, Mapping[str, Any]]


class Change(NamedTuple):
    """A line of the one program and what stands in its place in the other, fields and calls as marks."""

    before: str
    now: str


def first_change(before: str, now: str, old: Contracts, new: Contracts) -> Change | None:
    """Where two readable programs part beside their tool calls and fields; None where they do not.

    `old` and `new` are the contracts that each was written for. A run sees a changed figure only where it decides
    something in that run; the tree shows it always.
    """
    marked = frozenset(_fields(old)) | frozenset(_fields(new))
    lines = (_shape(before, old, marked), _shape(now, new, marked))
    for one, other in zip_longest(*lines, fillvalue=""):
        if one != other:
            return Change(one.strip(), other.strip())
    return None


def _shape(source: str, contracts: Contracts, fields: frozenset[str]) -> list[str]:
    tree = _Marks(frozenset(function_names(contracts)), fields).visit(ast.parse(source))
    return ast.unparse(tree).splitlines()


class _Marks(ast.NodeTransformer):
    """A mark for each tool call, without its arguments but with the calls inside them, and for each field's name."""

    def __init__(self, functions: frozenset[str], fields: frozenset[str]) -> None:
        self.functions, self.fields = functions, fields

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Mark a call of a tool."""
        if not isinstance(node.func, ast.Name) or node.func.id not in self.functions:
            return self.generic_visit(node)
        inner = [found for argument in (*node.args, *node.keywords) for found in self._calls(argument)]
        return ast.Call(ast.Name("a_tool", ast.Load()), [self.visit(call) for call in inner], [])

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Mark the name of a field."""
        return ast.Constant("a field") if node.value in self.fields and isinstance(node.value, str) else node

    def _calls(self, node: ast.AST) -> Iterator[ast.Call]:
        """The outermost tool calls below a node, in their order."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.functions:
            yield node
            return
        for child in ast.iter_child_nodes(node):
            yield from self._calls(child)


def _fields(contracts: Contracts) -> Iterator[str]:
    """Every name that a response documents, however deep."""
    waiting: list[Any] = [response(contract) for contract in contracts.values()]
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, Mapping):
            named = schema.get("properties")
            yield from named if isinstance(named, Mapping) else ()
            waiting.extend(schema.values())
        elif isinstance(schema, list):
            waiting.extend(schema)
