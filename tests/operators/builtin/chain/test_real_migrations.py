"""The 1,221 breaking changes of Stripe and Twilio: what is believed to be a rename, and what becomes of seeded chains.

The data says which parameters an operation had, where they travel and whether it demands them, not their types.
"""

from __future__ import annotations

import ast
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.operators.builtin.chain.operator import NAME, register
from memorepair_graphdb.operators.builtin.chain.sandbox import Sandbox
from memorepair_graphdb.operators.contracts.renames import renames
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.execution.stage import Attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.execution.validation import checked_job
from tests.harness.places import DATA

Event = dict[str, Any]

RIGHT = {
    ("A2pProfileBundleSid", "A2PProfileBundleSid"),
    ("ConnectivityIssues", "ConnectivityIssue"),
    ("QualityIssues", "QualityIssue"),
    ("CallScores", "CallScore"),
    ("Filter", "filter"),
    ("Response_type", "response_type"),
    ("Client_id", "client_id"),
    ("Redirect_uri", "redirect_uri"),
    ("Scope", "scope"),
    ("State", "state"),
}
"""Labelled by hand: the same thing under another name."""
WRONG = {
    ("ach_debit", "bacs_debit"),
    ("business_name", "business_type"),
    ("business_url", "business_type"),
    ("business_url", "business_profile"),
    ("uk_credit_transfer", "gbp_credit_transfer"),
    ("shipping_rates", "shipping_options"),
    ("requested_capabilities", "capabilities"),
    ("application_fee", "application_fee_amount"),
    ("held_amount", "amount"),
    ("Version", "SchemaVersion"),
    ("Binding", "Binding.Alg"),
    ("next_source_action", "next_action"),
}
"""Labelled by hand: alike, and another thing, another shape, or one of several that took its place."""


@pytest.fixture(scope="module")
def events() -> list[Event]:
    files = (DATA / "migrate" / f"{name}_breaking_events.jsonl.gz" for name in ("twilio", "stripe"))
    return [json.loads(line) for file in files for line in gzip.open(file, "rt") if line.strip()]


def contract(operation: dict[str, Any]) -> dict[str, Any]:
    plain = [where.split(":", 1)[1] for where in operation["params"]]
    taken: dict[str, Any] = {}
    needed = []
    for where, demanded in operation["params"].items():
        place, name = where.split(":", 1)
        name = name if plain.count(name) == 1 else where
        taken[name] = {"in": place}
        needed += [name] if demanded else []
    fields = {name: {"type": kind} if kind else {} for name, kind in (operation["response"] or {}).items()}
    return {
        "name": "op",
        "inputSchema": {"type": "object", "properties": taken, "required": needed},
        "outputSchema": {"type": "object", "properties": fields, "required": list(fields)},
    }


def changed_names(event: Event) -> tuple[set[str], set[str]]:
    """The parameters and the fields that an event changes, by the data's own word for it."""
    changes = [] if isinstance(event["change"], str) else event["change"]
    told = [(sort, ast.literal_eval(name)[1] if name.startswith("(") else name) for sort, name in changes]
    fields = {name for sort, name in told if sort.startswith("response")}
    return {name for sort, name in told if not sort.startswith("response")}, fields


def chain(event: Event, seed: int, touching: bool) -> str:
    """A chain over the operation that uses some of what changed, or none of it."""
    draw = random.Random(seed)
    before = contract(event["before"])
    taken, fields = before["inputSchema"]["properties"], before["outputSchema"]["properties"]
    given = set(before["inputSchema"]["required"])
    parameters, read = changed_names(event)
    targets = sorted(("p", name) for name in parameters & taken.keys()) + sorted(
        ("f", name) for name in read & fields.keys()
    )
    chosen = draw.sample(targets, draw.randint(1, len(targets))) if touching and targets else []
    given |= {name for sort, name in chosen if sort == "p"}
    seen = [name for sort, name in chosen if sort == "f"] or sorted(fields.keys() - read)[:1]
    told = ", ".join(f"{name!r}: x" for name in sorted(given))
    return f"def chain(x):\n    got = op(**{{{told}}})\n    return [{', '.join(f'got[{name!r}]' for name in seen)}]\n"


def proposals(events: list[Event]) -> Iterator[tuple[str, str]]:
    for event in events:
        if event["after"] is not None:
            old, new = contract(event["before"]), contract(event["after"])
            for side in ("inputSchema", "outputSchema"):
                yield from renames(old[side]["properties"], new[side]["properties"]).items()


def test_every_rename_that_is_believed_is_right(events: list[Event]) -> None:
    assert len(events) == 1221
    assert set(proposals(events)) == RIGHT
    assert not RIGHT & WRONG


def test_the_wrong_ones_are_in_the_data_and_were_tempting(events: list[Event]) -> None:
    gone_and_come = set()
    for event in events:
        if event["after"] is not None:
            for side in ("params", "response"):
                old, new = (set(event[when][side] or {}) for when in ("before", "after"))
                gone_and_come |= {(one.split(":")[-1], two.split(":")[-1]) for one in old - new for two in new - old}
    assert gone_and_come >= WRONG


def tried(registry: Registry, event: Event, source: str) -> Attempt:
    in_force = {} if event["after"] is None else {"op": contract(event["after"])}
    recipe = {"contracts": {"op": contract(event["before"])}}
    context = Context("chain/1", Kind.SKILL, Arch.CHAIN, recipe, Interfaces.of(in_force), previous=source)
    operator = registry.find(NAME)
    assert operator is not None
    return attempt(checked_job(operator, context, (), lambda word: 99))


def outcome(registry: Registry, event: Event, source: str) -> str:
    made = tried(registry, event, source)
    if made.payload is None:
        for reason in ("not in force", "no value for it is documented", "the chain gives it", "the chain reads it"):
            if reason in made.reason:
                return f"refused: {reason}"
        return f"refused: {made.reason}"
    return "unaffected" if made.payload.content == source else "migrated"


@pytest.mark.torture
def test_chains_over_real_changes_are_migrated_refused_or_untouched(events: list[Event]) -> None:
    touching: Counter[str] = Counter()
    beside: Counter[str] = Counter()
    with Sandbox(workers=1) as sandbox:
        registry = Registry()
        register(registry, lambda: sandbox)
        for seed, event in enumerate(events):
            touching[outcome(registry, event, chain(event, seed, True))] += 1
            if event["after"] is not None:
                beside[outcome(registry, event, chain(event, seed, False))] += 1
    assert touching == {
        "unaffected": 4,
        "migrated": 4,
        "refused: not in force": 623,
        "refused: the chain reads it": 286,
        "refused: the chain gives it": 253,
        "refused: no value for it is documented": 51,
    }
    assert beside == {
        "unaffected": 536,
        "migrated": 1,
        "refused: the chain gives it": 6,
        "refused: no value for it is documented": 55,
    }
