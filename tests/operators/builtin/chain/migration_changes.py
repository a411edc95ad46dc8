"""The changes that a migration makes to a tool's surface: those that its contract tells enough of, and others.

A change says what it means for the chain, and whether the chain can follow; one that cannot be
made to the tool that was drawn says False.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.operators.builtin.chain.migration_world import Part, Tool, World, camel, everything, kebab

SAID = ("x-renamed-from", "Formerly `{}`.", "Renamed from {}.", "Previously called '{}'.")
TRAPS = [
    ("business_name", "business_type"),
    ("ach_debit", "bacs_debit"),
    ("address_line1", "address_line2"),
    ("include_archived_shipping_items", "exclude_archived_shipping_items"),
    ("authorized_account_representative", "unauthorized_account_representative"),
    ("billing_account_holder_country_from", "billing_account_holder_country_for"),
    ("minimum_shipping_amount_total", "maximum_shipping_amount_total"),
]


class Changes:
    """Every change by its name: `to_…`, and `to_bad_…` where the contract does not tell enough of it."""

    random: random.Random
    names: Iterator[str]
    used: set[str]
    """meanings that the chain uses"""
    given: dict[str, str]
    """meaning of a parameter → the expression that the chain gives it"""

    # changes that the contracts tell enough of

    def any_part(self, tool: Tool) -> Part:
        return self.random.choice([part for part in everything(tool) if not part.hidden])

    def touch(self, world: World, part: Part, derivable: bool = True) -> None:
        world.touched = world.touched or part.meaning in self.used
        if part.meaning in self.used:
            world.derivable = world.derivable and derivable

    def to_style(self, tool: Tool, world: World) -> bool:
        part = self.any_part(tool)
        styles = {part.meaning, camel(part.meaning), kebab(part.meaning), part.meaning.title().replace("_", "")}
        if part.name not in styles:
            return False
        part.name = self.random.choice(sorted(styles - {part.name}))
        self.touch(world, part)
        return True

    def to_said(self, tool: Tool, world: World) -> bool:
        part = self.any_part(tool)
        before = next((one for one in everything(world.old[tool.meaning]) if one.meaning == part.meaning), None)
        if before is None or part.notes:
            return False
        way = self.random.choice(SAID)
        part.notes = {way: before.name} if way.startswith("x-") else {"description": way.format(before.name)}
        part.name = next(self.names)
        self.touch(world, part)
        return True

    def to_plural(self, tool: Tool, world: World) -> bool:
        part = self.any_part(tool)
        before = next((one for one in everything(world.old[tool.meaning]) if one.meaning == part.meaning), None)
        if before is None or before.name != part.name or part.notes or part.kind != "string":
            return False
        if before.schema() != part.schema():
            return False
        part.name += "s"
        self.touch(world, part)
        return True

    def to_more(self, tool: Tool, world: World) -> None:
        parts = self.random.choice([tool.parameters, tool.fields, tool.fields[-1].parts])
        parts.insert(0, Part(name := next(self.names), name, required=False))

    def to_required_with_default(self, tool: Tool, world: World) -> None:
        name = next(self.names)
        tool.parameters.insert(0, Part(name, name, default="usual", neutral="usual"))
        world.touched = True

    def to_other_default(self, tool: Tool, world: World) -> bool:
        part = self.random.choice(tool.parameters)
        if part.default not in ("none", 5) or part.shown != "plain":
            return False
        part.default = "other" if part.default == "none" else 6
        world.touched = True
        return True

    def to_must_give(self, tool: Tool, world: World) -> bool:
        part = self.random.choice(tool.parameters)
        if part.default not in ("none", 5):
            return False
        part.required = True
        world.touched = True
        return True

    def to_text(self, tool: Tool, world: World) -> bool:
        part = self.random.choice(tool.parameters)
        if part.kind != "integer" or part.shown != "plain" or not part.required or part.default is not None:
            return False
        part.shown = "text"
        self.touch(world, part)
        return True

    def to_list(self, tool: Tool, world: World) -> bool:
        part = self.random.choice(tool.parameters)
        if part.shown != "plain" or part.default is not None:
            return False
        part.shown = "list"
        self.touch(world, part)
        return True

    def to_wider(self, tool: Tool, world: World) -> bool:
        part = self.random.choice(tool.parameters)
        if part.kind != "integer" or part.shown != "plain":
            return False
        part.kind = "number"
        self.touch(world, part)
        return True

    def to_without(self, tool: Tool, world: World) -> bool:
        parts = self.random.choice([tool.parameters, tool.fields, tool.fields[-1].parts])
        part = self.random.choice(parts)
        given = self.given.get(part.meaning)
        if part.kind in ("rows", "inner") or (part.meaning in self.used and given != repr(part.default)):
            return False
        if part.default not in (None, "none", 5):
            return False
        if part in tool.parameters:
            part.hidden = True
        else:
            parts.remove(part)
        self.touch(world, part)
        if part.default is not None:  # the contract does not say that what is gone still goes by its default
            world.touched, world.derivable = True, False
        return True

    def to_another_endpoint(self, tool: Tool, world: World) -> bool:
        if tool.notes:
            return False
        tool.notes = {"x-replaces": tool.name}
        tool.name = f"{tool.name}_v2"
        world.touched = True
        return True

    # changes that they do not tell enough of, where the chain uses what they change

    def to_bad_synonym(self, tool: Tool, world: World) -> None:
        part = self.any_part(tool)
        part.name, part.notes = next(self.names), {}
        self.touch(world, part, derivable=False)
        world.derivable = world.derivable and not (
            part in tool.parameters and (part.required or part.default is not None)
        )

    def to_bad_unit(self, tool: Tool, world: World) -> bool:
        part = self.any_part(tool)
        before = next((one for one in everything(world.old[tool.meaning]) if one.meaning == part.meaning), None)
        if part.kind not in ("integer", "number") or before is None or part.notes:
            return False
        before.notes, part.notes = {"description": "In cents."}, {"description": "In dollars."}
        part.meaning += " in dollars"
        self.used |= {part.meaning} if before.meaning in self.used else set()
        self.touch(world, part, derivable=False)
        world.derivable = world.derivable and not (part in tool.parameters and part.default is not None)
        return True

    def to_bad_trap(self, tool: Tool, world: World) -> bool:
        """One leaves, another comes with a name that is like it; they do not mean the same."""
        before, after = self.random.choice(TRAPS)
        if tool.name != tool.meaning:
            return False
        source = world.source
        part = self.random.choice([part for part in everything(world.new[tool.meaning]) if part.kind == "string"])
        former = next((one for one in everything(world.old[tool.meaning]) if one.meaning == part.meaning), None)
        if (
            former is None
            or former.name != part.name
            or part.notes
            or part.default is not None
            or not renamed_once(source, former.name)
        ):
            return False
        world.source = source.replace(f"'{former.name}'", f"'{before}'").replace(f'"{former.name}"', f'"{before}"')
        world.source = world.source.replace(f"{former.name}=", f"{before}=")
        former.name, part.name = before, after
        self.used |= {after} if part.meaning in self.used else set()
        needed = part in tool.parameters and (part.required or part.default is not None)
        world.touched = True
        world.derivable = world.derivable and part.meaning not in self.used and not needed
        part.meaning = after
        return True

    def to_bad_field_gone(self, tool: Tool, world: World) -> bool:
        parts = self.random.choice([tool.fields, tool.fields[-1].parts])
        part = self.random.choice(parts)
        if len(parts) < 2 or part.kind in ("rows", "inner"):
            return False
        parts.remove(part)
        self.touch(world, part, derivable=False)
        return True

    def to_bad_required(self, tool: Tool, world: World) -> None:
        tool.parameters.append(Part(name := next(self.names), name))
        world.touched, world.derivable = True, False

    def to_bad_endpoint_gone(self, tool: Tool, world: World) -> None:
        world.new.pop(tool.meaning)
        world.touched, world.derivable = True, False


def renamed_once(source: str, name: str) -> bool:
    return name.isidentifier() and source.count(name) <= source.count(f"'{name}'") + source.count(
        f'"{name}"'
    ) + source.count(f"{name}=")
