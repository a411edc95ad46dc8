"""Each check of a chain catches a fault that no other check does, and a chain goes through the whole frame."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.vocabulary import Mode, Outcome
from memorepair_graphdb.operators.builtin.chain.checks import ChainChecks
from memorepair_graphdb.operators.builtin.chain.operator import NAME, register
from memorepair_graphdb.operators.builtin.chain.sandbox import Sandbox
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.execution.stage import Attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.payload import Payload
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.operators.protocol.verdict import Review, Verdict
from memorepair_graphdb.repair.execution.validation import checked_job

FIGURE = {"type": "number"}
OLD: dict[str, Any] = {
    "name": "weather",
    "inputSchema": {
        "type": "object",
        "properties": {"cityName": {"type": "string", "maxLength": 20}},
        "required": ["cityName"],
    },
    "outputSchema": {
        "type": "object",
        "properties": {"tempNow": FIGURE, "feelsLike": FIGURE, "wind": FIGURE},
        "required": ["tempNow", "feelsLike", "wind"],
    },
}
NEW: dict[str, Any] = json.loads(
    json.dumps(OLD).replace("cityName", "city_name").replace("tempNow", "temp_now").replace("feelsLike", "feels_like")
)
SOURCE = "def chain(city):\n    w = weather(cityName=city)\n    return w['tempNow'] / w['wind']\n"
GOOD = "def chain(city):\n    w = weather(city_name=city)\n    return w['temp_now'] / w['wind']\n"
OWN = "def weather(city_name):\n    return {'temp_now': 8, 'wind': 4}\n"
ASIDE = "    if city == '?':\n        w['tmp']\n"
RUN = {
    "arguments": {"city": "Oslo"},
    "calls": [
        {"tool": "weather", "arguments": {"cityName": "Oslo"}, "result": {"tempNow": 8, "feelsLike": 6, "wind": 4}}
    ],
    "result": 2.0,
}
STILL = {"tool": "weather", "arguments": {"city_name": "Oslo"}, "response": {"temp_now": 9, "feels_like": 6, "wind": 3}}
CALM = {**STILL, "response": {"temp_now": 9, "feels_like": 6, "wind": 0}}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(workers=1) as sandbox:
        yield sandbox


def context(
    runs: tuple[Any, ...] = (RUN,), now: Any = STILL, previous: str | None = SOURCE, new: Any = NEW, **more: Any
) -> Context:
    cache = LiveSource("cache/1", "result", Kind.CACHE, json.dumps(now))
    recipe = {"tools": ["weather"], "contracts": {"weather": OLD}, "runs": list(runs)}
    in_force = Interfaces.of({} if new is None else {"weather": new, "other": {**OLD, "name": "other"}})
    return Context("chain/1", Kind.SKILL, Arch.CHAIN, recipe, in_force, previous, supports=(cache,), **more)


def refusals(sandbox: Sandbox, given: Context, content: str) -> dict[str, Verdict]:
    """Which checks, each asked alone, say no."""
    review = Review(given, (), lambda word: 99, Payload(content))
    verdicts = [check(review, content) for check in ChainChecks(lambda: sandbox).all()]
    return {verdict.check: verdict for verdict in verdicts if not verdict.ok}


def tried(sandbox: Sandbox, given: Context) -> Attempt:
    registry = Registry()
    register(registry, lambda: sandbox)
    operator = registry.find(NAME)
    assert operator is not None
    return attempt(checked_job(operator, given, (), lambda word: 99))


def test_a_good_chain_passes_every_check(sandbox: Sandbox) -> None:
    assert refusals(sandbox, context(), GOOD) == {}


@pytest.mark.parametrize(
    ("check", "given", "content", "reason", "saw", "wanted"),
    [
        (
            "parses",
            context(previous=SOURCE + SOURCE),
            GOOD + GOOD,
            "once, not 2 times",
            "def chain(city)",
            "one def chain",
        ),
        (
            "known_tools",
            context(previous=OWN + SOURCE),
            OWN + GOOD,
            "weather is a tool, and redefined",
            "calls of weather",
            "calls of weather",
        ),
        (
            "kept",
            context(),
            GOOD.replace("    return", "    if w['wind'] > 30:\n        return 0\n    return"),
            "another program than the one it succeeds",
            "if w['a field'] > 30:",
            "return w['a field'] / w['a field']",
        ),
        (
            "types",
            context(previous=SOURCE.replace("    return", f"{ASIDE}    return")),
            GOOD.replace("    return", f"{ASIDE}    return"),
            "Unknown key",
            "w['tmp']",
            "what the contracts of weather document",
        ),
        (
            "dry_run",
            context(runs=()),
            GOOD.replace("=city", "='a city with a name that is long'"),
            "is longer than 20 characters",
            'chain(**{"city":"1"})',
            "an example of its schema",
        ),
        (
            "recorded_runs",
            context(now=CALM),
            GOOD,
            "division by zero",
            'chain(**{"city":"Oslo"})',
            "a result on current responses",
        ),
        ("same_result", context(), GOOD.replace("temp_now", "feels_like"), r"\$: 2.0, then 1.5", "1.5", "2.0"),
    ],
)
def test_each_check_alone_catches_its_fault(
    sandbox: Sandbox, check: str, given: Context, content: str, reason: str, saw: str, wanted: str
) -> None:
    said = refusals(sandbox, given, content)
    assert list(said) == [check]
    assert re.search(reason, said[check].reason)
    assert saw in said[check].saw
    assert wanted in said[check].wanted


@pytest.mark.parametrize(
    ("one", "other"),
    [("> 30", "> 31"), ("> 30", ">= 30"), ("return 0", "return 1"), ("return 0", "return None")],
)
def test_a_figure_that_no_recorded_run_feels_is_kept(sandbox: Sandbox, one: str, other: str) -> None:
    more = "    if w['wind'] > 30:\n        return 0\n    return"
    given, good = context(previous=SOURCE.replace("    return", more)), GOOD.replace("    return", more)
    assert refusals(sandbox, given, good) == {}
    assert list(refusals(sandbox, given, good.replace(one, other, 1))) == ["kept"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("city + '!'", "city + '?'"),
        ("city + '!'", "str(city)"),
        ("['wind'] * 2", "['feels_like'] * 2"),
        ("['feels_like'] * 3", "['temp_now'] * 3"),
        ("['temp_now'] * 4", "['wind'] * 4"),
    ],
)
def test_a_call_and_a_field_that_no_recorded_run_reaches_are_kept(sandbox: Sandbox, one: str, other: str) -> None:
    former = (
        "    if w['wind'] > 30:\n        v = weather(cityName=city + '!')\n"
        "        return v['wind'] * 2 + v['feelsLike'] * 3 + v['tempNow'] * 4\n    return"
    )
    now = former.replace("cityName", "city_name").replace("tempNow", "temp_now").replace("feelsLike", "feels_like")
    given, good = context(previous=SOURCE.replace("    return", former)), GOOD.replace("    return", now)
    assert refusals(sandbox, given, good) == {}
    assert one in good
    assert list(refusals(sandbox, given, good.replace(one, other, 1))) == ["kept"]


def test_a_chain_is_migrated_and_carries_the_contracts_it_is_written_for_now(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="memorepair_graphdb")
    made = tried(sandbox, context())
    assert "chain/1: weather: parameter cityName renamed (city_name)" in caplog.messages
    assert made.outcome is None, made.reason
    assert made.payload is not None
    assert made.payload.content == GOOD
    assert json.loads(made.payload.blob or b"") == {"weather": NEW}
    assert [verdict.check for verdict in made.checks][-7:] == [
        "parses",
        "known_tools",
        "kept",
        "types",
        "dry_run",
        "recorded_runs",
        "same_result",
    ]
    assert made.read == {"weather"}


def test_the_next_migration_starts_from_there(sandbox: Sandbox) -> None:
    newest = json.loads(json.dumps(NEW).replace("temp_now", "TempNow"))
    blob = json.dumps({"weather": NEW}).encode()
    made = tried(sandbox, context(previous=GOOD, new=newest, previous_blob=blob))
    assert made.payload is not None, made.reason
    assert made.payload.content == GOOD.replace("temp_now", "TempNow")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (context(previous=None), "rewritten, not reinvented"),
        (context(new=None), "weather: it is not in force any more"),
        (context(previous=SOURCE.replace("cityName", "town")), "does not keep to the contracts it was written for"),
        (context(runs=({"calls": []},)), "runs.0.arguments: Field required"),
        (
            Context("chain/1", Kind.SKILL, Arch.CHAIN, {"tools": ["weather"]}, previous=SOURCE),
            "contracts: Field required",
        ),
    ],
)
def test_what_cannot_be_migrated_fails_with_its_reason(sandbox: Sandbox, given: Context, reason: str) -> None:
    made = tried(sandbox, given)
    assert made.outcome is Outcome.OPERATOR_FAILED
    assert reason in made.reason


def test_a_chain_that_no_response_of_today_serves_is_rejected(sandbox: Sandbox) -> None:
    made = tried(sandbox, context(now=CALM))
    assert made.outcome is Outcome.REJECTED
    assert made.reason.startswith("recorded_runs: the chain failed: ZeroDivisionError")


def test_the_operator_is_registered_with_what_it_needs() -> None:
    registry = Registry()
    register(registry)
    operator = registry.find(NAME)
    assert operator is not None
    assert (operator.mode, operator.previous, len(operator.validators)) == (Mode.REGEN, True, 7)
    assert (operator.kinds, operator.lacks) == ((Arch.CHAIN,), "")
    assert operator.estimate(context()) >= 1


def test_a_registry_lists_it_without_loading_the_sandbox() -> None:
    script = (
        "import sys; from memorepair_graphdb.operators.builtin.chain.operator import register; "
        "from memorepair_graphdb.operators.protocol.registry import Registry; register(Registry()); "
        "print({'pydantic_monty', 'jsoncompat'} & sys.modules.keys())"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "set()\n"
    )


def test_a_field_renamed_at_the_top_is_followed_though_another_of_its_name_lies_deeper(sandbox: Sandbox) -> None:
    def with_inner(contract: dict[str, Any], top: str) -> dict[str, Any]:
        inner = {"type": "object", "properties": {"tempNow": FIGURE}, "required": ["tempNow"]}
        fields = {top: FIGURE, "wind": FIGURE, "inner": inner}
        return {**contract, "outputSchema": {"type": "object", "properties": fields, "required": list(fields)}}

    old, new = with_inner(OLD, "tempNow"), with_inner(NEW, "temp_now")
    given = context(runs=(), new=new, now=None)
    given = replace(given, recipe={"tools": ["weather"], "contracts": {"weather": old}})
    made = tried(sandbox, given)
    assert made.payload is not None, made.reason
    assert made.payload.content == GOOD
    inner = GOOD.replace("w['temp_now']", "w['inner']['tempNow']")
    assert list(refusals(sandbox, given, inner)) == ["kept"]


@pytest.mark.parametrize(
    "source",
    [
        "def chain():\n    raise SystemExit(0)\n",
        "def chain():\n    weather(cityName='Oslo')\n    return 1 / 0\n",
    ],
)
def test_a_chain_that_never_gave_a_result_has_nothing_that_vouches_for_it(sandbox: Sandbox, source: str) -> None:
    made = tried(sandbox, context(previous=source, runs=()))
    assert made.outcome is Outcome.REJECTED
    says = {verdict.check: verdict.state for verdict in made.checks}
    assert (says["dry_run"], says["recorded_runs"], says["same_result"]) == ("not_applicable",) * 3
    assert made.reason.startswith("vouched: nothing vouches for it (dry_run: the program before it gives no result")
    assert "recorded_runs: no run is recorded" in made.reason


def test_a_chain_that_runs_on_examples_needs_no_recorded_run(sandbox: Sandbox) -> None:
    made = tried(sandbox, context(runs=()))
    says = {verdict.check: verdict.state for verdict in made.checks}
    assert (made.outcome, says["dry_run"], says["recorded_runs"]) == (None, "ok", "not_applicable")
