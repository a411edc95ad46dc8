"""Finds the fields of tools' responses that a chain reads, and where: an abstract run over the syntax tree.

A value that cannot be followed counts as used whole, so that a change anywhere in it is a reason to refuse.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ...contracts.diff import EACH
from ...contracts.schemas import Schema
from .origins import NameOrigins, Origin, OriginRecord, Use

PASSING = frozenset({"list", "reversed", "sorted"})
"""Functions that give the items of what they are given."""
READ_AS_BUILT_IN = PASSING | {"len", "enumerate", "str"}
"""Names that a chain may not use for something else, if it is to be rewritten."""


def field_uses(tree: ast.Module, functions: Mapping[str, str], responses: Mapping[str, Schema]) -> tuple[Use, ...]:
    """Return all readings; `functions` are tools by function, `responses` the schemas their results had."""
    names: NameOrigins = {}
    while True:  # a name's origin goes from unknown to one to none, so this ends
        before = dict(names)
        reader = _Reader(functions, OriginRecord(responses, names))
        reader.body(tree)
        if names == before:
            return tuple(dict.fromkeys(reader.record.uses))


class _Reader:
    """Reads a program once, in the order of its tree; what it finds out goes into `record`."""

    def __init__(self, functions: Mapping[str, str], record: OriginRecord) -> None:
        self.functions, self.record = functions, record

    def body(self, scope: ast.AST) -> None:
        """Read a module, a function or a class in a scope of its own."""
        with self.record.scope(scope):
            for child in ast.iter_child_nodes(scope):
                self.visit(child)

    def visit(self, node: ast.AST) -> None:
        """Read a statement, or whatever else holds expressions; what an expression gives is used whole."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self.record.bind(node.name, None, node.lineno)
                self.body(node)
            case ast.arg():
                self.record.bind(node.arg, None, node.lineno)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                self.record.bind(name, None, node.lineno)
                self.read_parts(node, set())
            case ast.alias():
                self.record.bind(node.asname or node.name, None, node.lineno)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self.assign(name, value)
            case ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source):
                self.loop(target, source)
                self.read_parts(node, {"target", "iter"})
            case ast.If(test=test) | ast.While(test=test):
                self.read_truth(test)
                self.read_parts(node, {"test"})
            case ast.Expr(value=value):
                self.read_truth(value)
            case ast.expr():
                self.record.use(self.origin(node), True, node.lineno)
            case _:
                self.read_parts(node, set())

    def read_parts(self, node: ast.AST, excluded: set[str]) -> None:
        """Read all fields of a node but the excluded ones."""
        for name, value in ast.iter_fields(node):
            if name not in excluded:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self.visit(child)

    def origin(self, node: ast.expr) -> Origin | None:
        """Return where the value of an expression comes from, if from one index; read its parts on the way."""
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                return self.record.origin_of(name)
            case ast.Name(id=name):
                self.record.bind(name, None, node.lineno)
            case ast.Call(func=ast.Name(id=name)) if name in self.functions:
                self.read_parts(node, {"func"})
                return Origin(self.functions[name], (), ())
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in PASSING:
                return self.origin(argument)
            case ast.Call(func=ast.Name(id="len"), args=[argument]):
                base = self.origin(argument)
                self.record.use(base, base is not None and not self.record.is_array(base), node.lineno)
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[ast.Constant(value=str(name)), *others]):
                member = self.member(self.origin(value), name, node.args[0], node)
                for other in others:
                    self.visit(other)
                return member
            case ast.Subscript(value=value, slice=index, ctx=ast.Load()):
                return self.subscript(node, value, index)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.read_truth(operand)
            case ast.IfExp(test=test, body=body, orelse=other):
                self.read_truth(test)
                self.visit(body)
                self.visit(other)
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
                self.read_truth(left)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self.comprehension(node)
            case ast.Lambda():
                self.body(node)
            case _:
                self.read_parts(node, set())
        return None

    def subscript(self, node: ast.expr, value: ast.expr, index: ast.expr) -> Origin | None:
        """Follow a member by its name, an item or a slice by a number; use all else whole."""
        base = self.origin(value)
        if isinstance(index, ast.Constant) and isinstance(index.value, str):
            return self.member(base, index.value, index, node)
        self.visit(index)
        if base is not None and self.record.is_array(base):
            return base if isinstance(index, ast.Slice) else base.step(EACH, None)
        self.record.use(base, True, node.lineno)
        return None

    def member(self, base: Origin | None, name: str, key: ast.expr, node: ast.expr) -> Origin | None:
        """Follow a member of an object; where it is not documented and others are, use the object whole."""
        if base is not None and self.record.has_member(base, name):
            return base.step(name, key)
        self.record.use(base, True, node.lineno)
        return None

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        """Read the loops first, then what uses their names."""
        with self.record.scope(node):
            for generator in node.generators:
                self.visit(generator)
            self.read_parts(node, {"generators"})

    def loop(self, target: ast.expr, source: ast.expr) -> None:
        """Bind the names of a loop: one name, or the two of `enumerate`."""
        match source, target:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner]), ast.Tuple(
                elts=[ast.Name(id=number), ast.Name(id=name)]
            ):
                self.record.bind(number, None, target.lineno)
                self.bind_items(name, inner)
            case _, ast.Name(id=name):
                self.bind_items(name, source)
            case _:
                self.visit(source)
                self.visit(target)

    def bind_items(self, name: str, source: ast.expr) -> None:
        """Bind a name to the items of an expression."""
        base = self.origin(source)
        if base is not None and self.record.is_array(base):
            self.record.use(base, False, source.lineno)
            self.record.bind(name, base.step(EACH, None), source.lineno)
            return
        self.record.use(base, True, source.lineno)
        self.record.bind(name, None, source.lineno)

    def assign(self, name: str, value: ast.expr) -> None:
        """Bind a name to an expression; an assigned None is not taken for a second origin."""
        if not (isinstance(value, ast.Constant) and value.value is None):
            origin = self.origin(value)
            self.record.use(origin, False, value.lineno)
            self.record.bind(name, origin, value.lineno)

    def read_truth(self, node: ast.expr) -> None:
        """Read an expression of which only its truth or its presence counts."""
        self.record.use(self.origin(node), False, node.lineno)
