"""Masks what a contract may change in a program, its tool calls and field names, so that the rest can be compared."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from .parsing import tree_of

FIELD, TOOL = "a field", "a_tool"
"""What stands for a field's name and for a tool in a masked program."""


class ProgramMask(ast.NodeTransformer):
    """Replaces each tool call by a mark around the tool calls inside it, and each field name by another mark.

    `field_names` collects the names that were replaced, in the order of the source, over all calls of `lines`.
    """

    def __init__(self, functions: Mapping[str, str], fields: frozenset[str]) -> None:
        self.functions, self.fields = functions, fields
        self.field_names: list[str] = []

    def lines(self, tree: ast.AST) -> list[str]:
        """Return the lines of the program with its marks."""
        copy = tree_of(ast.unparse(tree))
        return ast.unparse(self.visit(copy)).splitlines()

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace a call of a tool."""
        if not self._is_tool(node):
            return self.generic_visit(node)
        arguments = (*node.args, *node.keywords)
        inner = [self.visit(call) for argument in arguments for call in self._outermost_calls(argument)]
        return ast.Call(ast.Name(TOOL, ast.Load()), inner, [])

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Replace the name of a field."""
        if not isinstance(node.value, str) or node.value not in self.fields:
            return node
        self.field_names.append(node.value)
        return ast.Constant(FIELD)

    def _is_tool(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.functions

    def _outermost_calls(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the tool calls at or below a node that are in no other, in their order."""
        if self._is_tool(node):
            yield node
            return
        for child in ast.iter_child_nodes(node):
            yield from self._outermost_calls(child)
