"""Draws a world: tools, a chain that works on them, and what a migration makes of the tools.

The same seed draws the same world.
"""

from __future__ import annotations

import random
from typing import Any

from tests.operators.builtin.chain.migration_changes import Changes
from tests.operators.builtin.chain.migration_world import Part, Tool, World, camel, kebab

WORDS = ("order", "city", "amount", "carrier", "weight", "currency", "region", "status", "label", "branch", "depot")
MORE_WORDS = ("parcel", "route", "sender", "tariff", "zone")
ENDINGS = ("code", "name", "total", "level", "kind", "mark")


class Maker(Changes):
    """Draws one world."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        names = [f"{word}_{ending}" for word in WORDS + MORE_WORDS for ending in ENDINGS]
        self.names = iter(self.random.sample(names, len(names)))
        self.used: set[str] = set()
        """meanings that the chain uses"""
        self.given: dict[str, str] = {}
        """meaning of a parameter → the expression that the chain gives it"""

    def world(self) -> World:
        old = {name: self.tool(name) for name in ("find", "price")}
        source, inputs = self.chain(old)
        new = {name: self.copy(tool) for name, tool in old.items()}
        world = World(source, inputs, old, new)
        changes = [change for change in dir(self) if change.startswith("to_")]
        bad = [change for change in changes if change.startswith("to_bad_")]
        good = sorted(set(changes) - set(bad))
        for change in self.random.choices(good, k=self.random.randint(1, 4)):
            self.change(world, change)
        if self.random.random() < 0.4:
            tempting = self.random.choices([*bad, *["to_bad_trap"] * 5], k=8)
            any(self.change(world, change) for change in tempting)
        return world

    def change(self, world: World, change: str) -> bool:
        """Whether the change could be made to the tool that was drawn."""
        tool = world.new[self.random.choice(sorted(world.new))]
        if getattr(self, change)(tool, world) is False:
            return False
        world.done.append(f"{change} of {tool.meaning}")
        return True

    def tool(self, name: str) -> Tool:
        parameters = [self.part(kind) for kind in ("string", "integer")]
        parameters += [
            self.part("string", required=False, default="none"),
            self.part("integer", required=False, default=5),
        ]
        parameters += [self.part("string", required=False)]
        inner = [self.part(kind) for kind in ("string", "integer", "string")]
        rows = [self.part(kind) for kind in ("string", "number", "integer")]
        fields = [self.part(kind) for kind in ("string", "integer", "number")]
        fields += [self.part("inner", parts=inner), self.part("rows", parts=rows)]
        return Tool(name, name, parameters, fields)

    def part(self, kind: str, **more: Any) -> Part:
        name = next(self.names)
        return Part(
            name, self.random.choice([name, camel(name), kebab(name)] if kind != "rows" else [name]), kind, **more
        )

    def copy(self, tool: Tool) -> Tool:
        def copied(parts: list[Part]) -> list[Part]:
            return [Part(**{**vars(part), "notes": dict(part.notes), "parts": copied(part.parts)}) for part in parts]

        return Tool(tool.name, tool.meaning, copied(tool.parameters), copied(tool.fields))

    # the chain

    def call(self, tool: Tool, texts: list[str], numbers: list[str]) -> str:
        told = []
        for part in tool.parameters:
            if part.required or self.random.random() < 0.5:
                self.used.add(part.meaning)
                value = self.random.choice(texts if part.kind == "string" else numbers)
                if not part.required and self.random.random() < 0.4:
                    value = repr(part.default if part.default is not None else "x")
                self.given[part.meaning] = value
                told.append((part.name, value))
        self.random.shuffle(told)
        plain = ", ".join(f"{name}={value}" for name, value in told if name.isidentifier())
        odd = ", ".join(f"'{name}': {value}" for name, value in told if not name.isidentifier())
        return f"{tool.name}({', '.join(one for one in (plain, odd and '**{' + odd + '}') if one)})"

    def read(self, parts: list[Part], kinds: tuple[str, ...]) -> str:
        part = self.random.choice([part for part in parts if part.kind in kinds])
        self.used.add(part.meaning)
        quote = self.random.choice("'\"")
        return f"{quote}{part.name}{quote}"

    def field(self, tool: Tool, kind: str) -> Part:
        part = next(part for part in tool.fields if part.kind == kind)
        self.used.add(part.meaning)
        return part

    def chain(self, tools: dict[str, Tool]) -> tuple[str, list[dict[str, Any]]]:
        find, price = tools["find"], tools["price"]
        first = self.call(find, ["place", "'é'", "place.upper()"], ["count", "count + 1", "3"])
        rows, inner = self.field(find, "rows"), self.field(find, "inner")
        row_text, row_number = self.read(rows.parts, ("string",)), self.read(rows.parts, ("integer", "number"))
        deep = self.read(inner.parts, ("string", "integer"))
        second = self.call(price, [f"row[{row_text}]", "place"], ["count", "number", "7"])
        whole = self.read(price.fields, ("integer",))
        more = self.read(price.fields, ("string", "number"))
        loop = self.random.choice(["for number, row in enumerate({}):", "for row in {}:"])
        number = "" if "enumerate" in loop else "        number = 2\n"
        lines = self.random.choice(["found[{!r}]", "list(found[{!r}])", "found[{!r}][:2]"]).format(rows.name)
        test = self.random.choice([f"row[{row_number}] > 400", f"row[{row_number}] is not None", "count"])
        source = (
            "def tidy(text, figure):\n    return str(text) + '/' + str(figure)\n\n\n"
            f"def chain(place: str, count: int):\n    # « für {find.name} »\n    found = {first}\n    told = []\n"
            f"    for_all = len(found[{rows.name!r}])\n    {loop.format(lines)}\n{number}"
            f"        if {test}:\n            cost = {second}  # ¢\n"
            f"            told.append({{'text': tidy(row[{row_text}], cost[{whole}]), 'more': cost[{more}]}})\n"
            f"    return {{'told': told, 'deep': found[{inner.name!r}][{deep}], 'all': for_all, 'seen': "
            f"[row[{row_text}] for row in found[{rows.name!r}]]}}\n"
        )
        return source, [
            {"place": place, "count": count} for place, count in (("Oslo", 1), ("Łódź", 4), ("x", 12), ("Rom", 5))
        ]
