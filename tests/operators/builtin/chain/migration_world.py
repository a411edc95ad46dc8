"""A world of tools for seeded migrations: meanings, surfaces that name them, and servers that answer by either.

Nothing of the operator's own reading of contracts is used; a server turns a call by its surface
into its meaning and answers from a hash of that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import jsonschema


@dataclass
class Part:
    """A parameter or a field: what it means, and how a contract writes it."""

    meaning: str
    name: str
    kind: str = "string"
    """string, integer or number, in meaning; of a field also rows and inner"""
    shown: str = "plain"
    """plain, text (a number as text) or list (one value in a list)"""
    required: bool = True
    default: Any = None
    neutral: Any = None
    """what its absence means to the server"""
    hidden: bool = False
    """whether the contract does not have it any more: the server goes by its default"""
    notes: dict[str, Any] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)

    def schema(self) -> dict[str, Any]:
        if self.kind in ("rows", "inner"):
            inner = listed(self.parts)
            return {**self.notes, **({"type": "array", "items": inner} if self.kind == "rows" else inner)}
        plain = {"type": "string" if self.shown == "text" else self.kind}
        told = {**self.notes, **({"type": "array", "items": plain} if self.shown == "list" else plain)}
        return told if self.default is None else {**told, "default": self.default}


def listed(parts: list[Part]) -> dict[str, Any]:
    shown = [part for part in parts if not part.hidden]
    needed = [part.name for part in shown if part.required]
    return {"type": "object", "properties": {part.name: part.schema() for part in shown}, "required": needed}


@dataclass
class Tool:
    """A tool by one of its surfaces."""

    name: str
    meaning: str
    parameters: list[Part]
    fields: list[Part]
    notes: dict[str, Any] = field(default_factory=dict)

    def contract(self) -> dict[str, Any]:
        shapes = {"inputSchema": listed(self.parameters), "outputSchema": listed(self.fields)}
        return {"name": self.name, "description": "", **shapes, **self.notes}

    def answer(self, arguments: dict[str, Any]) -> Any:
        """Check the call as a server does, read its meaning, and say what that means to this tool."""
        contract = self.contract()
        jsonschema.validate(arguments, {**contract["inputSchema"], "additionalProperties": False})
        meant = {}
        for part in self.parameters:
            value = part.default if part.hidden else arguments.get(part.name, part.default)
            value = value[0] if part.shown == "list" and value is not None else value
            value = int(value) if part.shown == "text" and value is not None else value
            if value is not None and value != part.neutral:
                meant[part.meaning] = value
        seed = json.dumps([self.meaning, meant], sort_keys=True)
        return {part.name: said(part, f"{seed}/{part.meaning}") for part in self.fields}


def said(part: Part, seed: str) -> Any:
    if part.kind == "rows":
        return [
            said(Part("", "", "inner", parts=part.parts), f"{seed}/{number}") for number in range(1 + draw(seed) % 3)
        ]
    if part.kind == "inner":
        return {inner.name: said(inner, f"{seed}/{inner.meaning}") for inner in part.parts}
    figure = draw(seed) % 1000
    return {"integer": figure, "number": figure / 8, "string": f"s{figure}"}[part.kind]


def draw(seed: str) -> int:
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:4])


@dataclass
class World:
    """A chain, its tools before and after, and whether the contracts give what is needed to rewrite it."""

    source: str
    inputs: list[dict[str, Any]]
    old: dict[str, Tool]
    new: dict[str, Tool]
    touched: bool = False
    derivable: bool = True
    done: list[str] = field(default_factory=list)


def every(parts: list[Part]) -> Iterator[Part]:
    for part in parts:
        yield part
        yield from every(part.parts)


def everything(tool: Tool) -> list[Part]:
    return [*tool.parameters, *every(tool.fields)]


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)


def kebab(name: str) -> str:
    return name.replace("_", "-")
