"""Holds where the values of a chain come from: each name, in its scope, with the field of a tool's response."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from ...contracts.diff import EACH
from ...contracts.schemas import Path, Schema, is_object, items, properties


@dataclass(frozen=True, slots=True)
class Origin:
    """A place in a tool's response from which a value comes, and the literals in the source that name the way there."""

    tool: str
    path: Path
    keys: tuple[ast.expr | None, ...]
    """the key as it stands in the source for each step; None for a step into items"""

    def step(self, name: str, key: ast.expr | None) -> Origin:
        """Return the place one step further in."""
        return Origin(self.tool, (*self.path, name), (*self.keys, key))


@dataclass(frozen=True, slots=True)
class Use:
    """A reading of a value from a response."""

    origin: Origin
    whole: bool
    """whether all that lies below it is used; else only that it is there, and how many it holds"""
    line: int


NameOrigins = dict[tuple[int, str], Origin | None]
"""(id of the scope's node, name) → the origin of its value; None for a name with several origins, or another value."""


class OriginRecord:
    """Records the origins of names and the readings of responses while one pass reads a program; it is filled by that.

    `names` is shared by the passes: a name that a function reads may be bound further down.
    """

    def __init__(self, responses: Mapping[str, Schema], names: NameOrigins) -> None:
        self.uses: list[Use] = []
        self._responses, self._names = responses, names
        self._scopes: list[int] = []

    @contextmanager
    def scope(self, node: ast.AST) -> Iterator[None]:
        """Open the scope of a module, function, class or comprehension; names bound inside belong to it."""
        self._scopes.append(id(node))
        yield
        self._scopes.pop()

    def bind(self, name: str, origin: Origin | None, line: int) -> None:
        """Record where a name's value comes from; of a name with two origins both values are used whole."""
        key = (self._scopes[-1], name)
        known = self._names.setdefault(key, origin)
        if known != origin:
            self.use(known, True, line)
            self.use(origin, True, line)
            self._names[key] = None

    def origin_of(self, name: str) -> Origin | None:
        """Return the origin of a name, from the innermost scope that binds it."""
        for scope in reversed(self._scopes):
            if (scope, name) in self._names:
                return self._names[scope, name]
        return None

    def use(self, origin: Origin | None, whole: bool, line: int) -> None:
        """Record a reading of a value, where it comes from a response."""
        if origin is not None:
            self.uses.append(Use(origin, whole, line))

    def has_member(self, origin: Origin, name: str) -> bool:
        """Return whether the old contract has an object with this member there, or says nothing of the place."""
        schema = self._schema(origin)
        return not schema or (is_object(schema) and name in properties(schema))

    def is_array(self, origin: Origin) -> bool:
        """Return whether the old contract has an array there whose items it documents."""
        return items(self._schema(origin)) is not None

    def _schema(self, origin: Origin) -> Schema:
        schema = self._responses.get(origin.tool, {})
        for step in origin.path:
            inner = items(schema) if step == EACH else properties(schema).get(step)
            schema = inner or {}
        return schema
