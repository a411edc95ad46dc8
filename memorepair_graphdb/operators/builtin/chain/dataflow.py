"""Which fields of which tool's response a chain reads, and where: an abstract run over the syntax tree.

The law of the room: a value that cannot be followed counts as used whole; a field that is not read counts for nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from ...contracts.diff import EACH, Path
from ...contracts.schemas import Schema, is_object, items, properties

PASSING = frozenset({"list", "reversed", "sorted"})
"""Functions that give the items of what they are given."""
READ_AS_BUILT_IN = PASSING | {"len", "enumerate", "str"}
"""Names that a chain may not use for something else, if it is to be rewritten."""
Step = tuple[str, ast.expr | None]


class Origin(NamedTuple):
    """Where a value comes from: a place in a tool's response, and the literals that name its way there."""

    tool: str
    path: Path
    keys: tuple[ast.expr | None, ...]
    """the key as it stands in the source for each step; None for a step into items"""

    def step(self, name: str, key: ast.expr | None) -> Origin:
        """What lies one step further in."""
        return Origin(self.tool, (*self.path, name), (*self.keys, key))


class Use(NamedTuple):
    """One reading of a value from a response."""

    origin: Origin
    whole: bool
    """whether all that lies below it is used; else only that it is there, and how many it holds"""
    line: int


def field_uses(tree: ast.Module, functions: Mapping[str, str], responses: Mapping[str, Schema]) -> tuple[Use, ...]:
    """All readings; `functions` are tools by function, `responses` the schemas their results had."""
    names: dict[tuple[int, str], Origin | None] = {}
    while True:  # a name's origin goes from unknown to one to none, so this ends
        before = dict(names)
        reader = _Reader(functions, responses, names)
        reader.body(tree)
        if names == before:
            return tuple(dict.fromkeys(reader.found))


class _Reader:
    """One pass; `names` are the origins of names by scope, None for a name with several or another."""

    def __init__(
        self,
        functions: Mapping[str, str],
        responses: Mapping[str, Schema],
        names: dict[tuple[int, str], Origin | None],
    ) -> None:
        self.functions, self.responses, self.names = functions, responses, names
        self.scopes: list[int] = []
        self.found: list[Use] = []

    def body(self, scope: ast.AST) -> None:
        """Read a module, a function or a class in a scope of its own."""
        self.scopes.append(id(scope))
        for child in ast.iter_child_nodes(scope):
            self.visit(child)
        self.scopes.pop()

    def visit(self, node: ast.AST) -> None:
        """Read a statement, or whatever else holds expressions; what an expression gives is used whole."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self.bind(node.name, None, node.lineno)
                self.body(node)
            case ast.arg():
                self.bind(node.arg, None, node.lineno)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                self.bind(name, None, node.lineno)
                self.rest(node, set())
            case ast.alias():
                self.bind(node.asname or node.name, None, node.lineno)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self.assign(name, value)
            case ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source):
                self.loop(target, source)
                self.rest(node, {"target", "iter"})
            case ast.If(test=test) | ast.While(test=test):
                self.glance(test)
                self.rest(node, {"test"})
            case ast.Expr(value=value):
                self.glance(value)
            case ast.expr():
                self.use(self.origin(node), True, node)
            case _:
                self.rest(node, set())

    def rest(self, node: ast.AST, but: set[str]) -> None:
        """Read all fields of a node but those named."""
        for name, value in ast.iter_fields(node):
            if name not in but:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self.visit(child)

    def origin(self, node: ast.expr) -> Origin | None:
        """Where the value of an expression comes from, if from one place; its parts are read on the way."""
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                return self.known(name)
            case ast.Name(id=name):
                self.bind(name, None, node.lineno)
            case ast.Call(func=ast.Name(id=name)) if name in self.functions:
                self.rest(node, {"func"})
                return Origin(self.functions[name], (), ())
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in PASSING:
                return self.origin(argument)
            case ast.Call(func=ast.Name(id="len"), args=[argument]):
                base = self.origin(argument)
                self.use(base, base is not None and items(self.schema(base)) is None, node)
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[ast.Constant(value=str(name)), *others]):
                found = self.member(self.origin(value), name, node.args[0], node)
                for other in others:
                    self.visit(other)
                return found
            case ast.Subscript(value=value, slice=place, ctx=ast.Load()):
                return self.subscript(node, value, place)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.glance(operand)
            case ast.IfExp(test=test, body=body, orelse=other):
                self.glance(test)
                self.visit(body)
                self.visit(other)
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
                self.glance(left)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self.comprehension(node)
            case ast.Lambda():
                self.body(node)
            case _:
                self.rest(node, set())
        return None

    def subscript(self, node: ast.expr, value: ast.expr, place: ast.expr) -> Origin | None:
        """A member by its name, an item or a slice by a number; all else is used whole."""
        base = self.origin(value)
        if isinstance(place, ast.Constant) and isinstance(place.value, str):
            return self.member(base, place.value, place, node)
        self.visit(place)
        if base is not None and items(self.schema(base)) is not None:
            return base if isinstance(place, ast.Slice) else base.step(EACH, None)
        self.use(base, True, node)
        return None

    def member(self, base: Origin | None, name: str, key: ast.expr, node: ast.expr) -> Origin | None:
        """One step into an object; for a member that is not documented, where others are, the whole is used."""
        if base is not None and self.leads_on(self.schema(base), name):
            return base.step(name, key)
        self.use(base, True, node)
        return None

    def leads_on(self, schema: Schema, name: str) -> bool:
        """Whether a place is an object with this member, or nothing is known of it."""
        return not schema or (is_object(schema) and name in properties(schema))

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        """The loops first, then what is made of them."""
        self.scopes.append(id(node))
        for generator in node.generators:
            self.visit(generator)
        self.rest(node, {"generators"})
        self.scopes.pop()

    def loop(self, target: ast.expr, source: ast.expr) -> None:
        """Bind what a loop goes over; the second of `enumerate` too."""
        match source, target:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner]), ast.Tuple(
                elts=[ast.Name(id=number), ast.Name(id=name)]
            ):
                self.bind(number, None, target.lineno)
                self.each(name, inner)
            case _, ast.Name(id=name):
                self.each(name, source)
            case _:
                self.visit(source)
                self.visit(target)

    def each(self, name: str, source: ast.expr) -> None:
        """Bind a name to the items of an expression."""
        base = self.origin(source)
        if base is not None and items(self.schema(base)) is not None:
            self.use(base, False, source)
            self.bind(name, base.step(EACH, None), source.lineno)
            return
        self.use(base, True, source)
        self.bind(name, None, source.lineno)

    def assign(self, name: str, value: ast.expr) -> None:
        """Bind a name to an expression; None is no value of its own."""
        if not (isinstance(value, ast.Constant) and value.value is None):
            found = self.origin(value)
            self.use(found, False, value)
            self.bind(name, found, value.lineno)

    def bind(self, name: str, origin: Origin | None, line: int) -> None:
        """Note where a name's value comes from; what a name with several origins holds is used whole."""
        place = (self.scopes[-1], name)
        known = self.names.setdefault(place, origin)
        if known != origin:
            for one in (known, origin):
                if one is not None:
                    self.found.append(Use(one, True, line))
            self.names[place] = None

    def known(self, name: str) -> Origin | None:
        """The origin of a name, from the innermost scope that binds it."""
        for scope in reversed(self.scopes):
            if (scope, name) in self.names:
                return self.names[scope, name]
        return None

    def glance(self, node: ast.expr) -> None:
        """Read an expression of which only truth, or length, is asked."""
        self.use(self.origin(node), False, node)

    def use(self, origin: Origin | None, whole: bool, node: ast.expr) -> None:
        """Note a reading."""
        if origin is not None:
            self.found.append(Use(origin, whole, node.lineno))

    def schema(self, origin: Origin) -> Schema:
        """What the old contract says of a place."""
        schema = self.responses.get(origin.tool, {})
        for step in origin.path:
            inner = items(schema) if step == EACH else properties(schema).get(step)
            schema = inner or {}
        return schema
