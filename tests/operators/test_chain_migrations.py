"""Seeded migrations of working chains, judged by simulated servers that know the true mapping.

Nothing of the operator's own reading of contracts is used here: a world has meanings, a surface gives them names, a
server turns a call by either surface into the same meaning and answers from a hash of it.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import jsonschema
import pytest

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.outcome import Outcome
from memorepair_graphdb.operators.attempt import attempt
from memorepair_graphdb.operators.chain import matching, rewriting
from memorepair_graphdb.operators.chain.desk import ChainFailed
from memorepair_graphdb.operators.chain.difference import What
from memorepair_graphdb.operators.chain.migrate import NAME, register
from memorepair_graphdb.operators.chain.sandbox import Sandbox
from memorepair_graphdb.operators.context import Context, Interfaces
from memorepair_graphdb.operators.registry import Registry
from memorepair_graphdb.repair.validation import checked_job

WORDS = ("order", "city", "amount", "carrier", "weight", "currency", "region", "status", "label", "branch", "depot")
MORE_WORDS = ("parcel", "route", "sender", "tariff", "zone")
ENDINGS = ("code", "name", "total", "level", "kind", "mark")
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


class Maker:
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
        if before is None or before.name != part.name or part.notes or part.kind in ("rows", "inner"):
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


# judging


def serve(sandbox: Sandbox, source: str, arguments: dict[str, Any], tools: list[Tool]) -> Any:
    """What a chain says on a server: its result and its calls, or that it failed."""
    named = {tool.name: tool for tool in tools}
    contracts = {name: tool.contract() for name, tool in named.items()}
    try:
        return sandbox.run(source, arguments, contracts, lambda tool, given: named[tool].answer(given))
    except ChainFailed as error:
        return str(error)


def judge(sandbox: Sandbox, registry: Registry, seed: int, with_runs: bool) -> tuple[str, World, str]:
    """How one seeded migration ends: same, different, refused or rejected; and the reason."""
    world = Maker(seed).world()
    before = [serve(sandbox, world.source, arguments, list(world.old.values())) for arguments in world.inputs]
    assert not any(isinstance(run, str) for run in before), (world.source, before)
    recipe: dict[str, Any] = {"contracts": {name: tool.contract() for name, tool in world.old.items()}}
    if with_runs:
        first = before[0]
        recipe["runs"] = [
            {"arguments": world.inputs[0], "calls": [call._asdict() for call in first.calls], "result": first.result}
        ]
    in_force = Interfaces.of({tool.name: tool.contract() for tool in world.new.values()})
    context = Context("chain/1", Kind.SKILL, Arch.CHAIN, recipe, in_force, previous=world.source)
    operator = registry.find(NAME)
    assert operator is not None
    made = attempt(checked_job(operator, context, (), lambda word: 99))
    if made.payload is None:
        return "refused" if made.outcome is Outcome.OPERATOR_FAILED else "rejected", world, made.reason
    after = [serve(sandbox, made.payload.content, arguments, list(world.new.values())) for arguments in world.inputs]
    same = all(not isinstance(run, str) and run.result == was.result for run, was in zip(after, before, strict=True))
    return "same" if same else "different", world, made.payload.content


def counted(sandbox: Sandbox, seeds: range, with_runs: bool) -> tuple[dict[str, int], list[str]]:
    """How the seeds end, by sort; and those that end otherwise than they should, with the reason."""
    registry = Registry()
    register(registry, lambda: sandbox)
    counts = dict.fromkeys(("same", "different", "refused", "rejected", "derivable", "derived", "untouched", "kept"), 0)
    faults: list[str] = []
    for seed in seeds:
        ended, world, reason = judge(sandbox, registry, seed, with_runs)
        counts[ended] += 1
        counts["derivable"] += world.touched and world.derivable
        counts["derived"] += world.touched and world.derivable and ended == "same"
        counts["untouched"] += not world.touched
        counts["kept"] += not world.touched and ended == "same"
        if ended == "different" or (world.derivable and ended != "same"):
            faults.append(f"{seed} {ended} {world.done}: {reason}")
    return counts, faults


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(workers=1) as sandbox:
        yield sandbox


def test_a_migration_is_followed_or_refused_never_done_wrong(sandbox: Sandbox) -> None:
    counts, faults = counted(sandbox, range(10), with_runs=False)
    assert counts["different"] == 0, faults
    assert counts["derived"] >= 0.9 * counts["derivable"] > 3
    assert counts["refused"] > 0


@pytest.mark.torture
@pytest.mark.parametrize("with_runs", [False, True])
def test_five_hundred_migrations_publish_no_other_result(sandbox: Sandbox, with_runs: bool) -> None:
    counts, faults = counted(sandbox, range(1000, 1500), with_runs)
    assert counts["different"] == 0, faults
    assert counts["derived"] >= 0.9 * counts["derivable"], faults
    assert counts["kept"] >= 0.9 * counts["untouched"]
    assert counts["derivable"] >= 200
    assert counts["refused"] >= 50


@pytest.mark.torture
def test_the_servers_notice_a_guessed_rename(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "_is_respelt", lambda before, after, old, new: old.get("type") == new.get("type"))
    assert counted(sandbox, range(1000, 1060), with_runs=False)[0]["different"] > 0


@pytest.mark.torture
@pytest.mark.parametrize("ignored", [What.DEFAULT, What.UNIT])
def test_the_servers_notice_a_change_that_is_ignored(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, ignored: What
) -> None:
    changes = rewriting.parameter_changes
    monkeypatch.setattr(
        rewriting, "parameter_changes", lambda old, new: (one for one in changes(old, new) if one.what is not ignored)
    )
    assert counted(sandbox, range(1000, 1150), with_runs=False)[0]["different"] > 0
