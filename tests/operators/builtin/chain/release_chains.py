"""Three chains for each released change of a tool: short, full and typical calls, all of literals that fit."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from typing import Any, NamedTuple

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.operators.builtin.chain.names import function_name
from memorepair_graphdb.operators.builtin.chain.operator import NAME, register
from memorepair_graphdb.operators.builtin.chain.sandbox import Sandbox
from memorepair_graphdb.operators.contracts.examples import example
from memorepair_graphdb.operators.contracts.schemas import parameters, properties, required
from memorepair_graphdb.operators.contracts.validation import call_fault, schema_fault
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces
from memorepair_graphdb.operators.protocol.operator import Operator
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.execution.validation import checked_job
from tests.harness.places import CHECKOUT

CHAINS = ("required", "all", "typical")
DATA = CHECKOUT / "tests" / "data"

Change = dict[str, Any]


class Ended(NamedTuple):
    """How a chain ended: as it was, rewritten, refused, or no example of a call; with its source and the reason."""

    outcome: str
    before: str = ""
    source: str = ""
    reason: str = ""


def released_changes() -> list[Change]:
    with lzma.open(DATA / "mcp_releases.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def judgements() -> list[dict[str, Any]]:
    with (DATA / "mcp_judgements.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def arguments_of(chain: str, number: int, contract: dict[str, Any]) -> dict[str, Any]:
    """The literals that a chain gives: a typical one half of what may be given, at defaults, choices and bounds."""
    schema = parameters(contract)
    documented, needed = properties(schema), required(schema)
    optional = sorted(documented.keys() - needed)
    if chain == "typical":
        chosen = [name for place, name in enumerate(optional) if (place + number) % 2 == 0]
        return {name: typical(documented[name], number) for name in [*sorted(needed), *chosen] if name in documented}
    names = [*sorted(needed), *(optional if chain == "all" else [])]
    return {name: example(documented[name]) for name in names if name in documented}


def typical(schema: Any, number: int) -> Any:
    """A value as chains have them: the default, the last choice, a bound, a text of some words."""
    plain: dict[str, Any] = {"integer": 7, "number": 2.5, "string": "some words", "boolean": number % 2 == 0}
    kind = str(schema.get("type"))
    wanted = [schema["default"]] if "default" in schema and number % 3 else []
    wanted += list(schema.get("enum", ()))[-1:]
    wanted += [schema[bound] for bound in ("maximum", "minimum") if bound in schema]
    wanted += [plain[kind]] if kind in plain else []
    fitting = (value for value in wanted if not schema_fault(dict(schema), value))
    return next(fitting, example(schema))


def operator_in(sandbox: Sandbox) -> Operator:
    registry = Registry()
    register(registry, lambda: sandbox)
    operator = registry.find(NAME)
    assert operator is not None
    return operator


def source_of(number: int, change: Change, chain: str) -> str:
    """The chain that was written for the old contract; "" where that takes no such call."""
    arguments = arguments_of(chain, number, change["before"])
    if call_fault(change["before"], arguments):
        return ""
    return f"def chain():\n    return {function_name(change['tool'])}(**{arguments!r})\n"


def end_of(operator: Operator, number: int, change: Change, chain: str) -> Ended:
    """Run one chain through the operator and all its checks."""
    tool, source = change["tool"], source_of(number, change, chain)
    if not source:
        return Ended("no example")
    recipe = {"contracts": {tool: change["before"]}}
    in_force = {} if change["after"] is None else {tool: change["after"]}
    context = Context("chain/1", Kind.SKILL, Arch.CHAIN, recipe, Interfaces.of(in_force), previous=source)
    ended = attempt(checked_job(operator, context, (), lambda word: 99))
    if ended.payload is None:
        return Ended("refused", source, "", ended.reason)
    return Ended("as it was" if ended.payload.content == source else "rewritten", source, ended.payload.content)


def all_chains(changes: list[Change]) -> Iterator[tuple[int, Change, str]]:
    for number, change in enumerate(changes):
        for chain in CHAINS:
            yield number, change, chain
