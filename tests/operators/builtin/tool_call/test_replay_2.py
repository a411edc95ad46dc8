"""replay@2 calls real functions under their contract, and each of its checks catches a fault that no other does."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorepair_graphdb.errors import BadInput, Passing
from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.vocabulary import Outcome
from memorepair_graphdb.operators.builtin import replay_1
from memorepair_graphdb.operators.builtin.tool_call import RecordedRunner, register
from memorepair_graphdb.operators.contracts.validation import call_fault, recorded_call_fault
from memorepair_graphdb.operators.execution.attempt import attempt, attempts
from memorepair_graphdb.operators.execution.pool import Pool
from memorepair_graphdb.operators.execution.stage import Attempt
from memorepair_graphdb.operators.protocol.check import CheckInput
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.operator import Operator
from memorepair_graphdb.operators.protocol.payload import Payload
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.operators.protocol.verdict import Review
from memorepair_graphdb.repair.execution.validation import CHECKS, checked_job

WEATHER: dict[str, Any] = {
    "name": "weather",
    "inputSchema": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {"temp": {"type": "number"}, "at": {"type": "integer"}, "station": {"type": "string"}},
        "required": ["temp"],
    },
    "annotations": {"readOnlyHint": True},
}
WITHOUT_HINTS = {name: value for name, value in WEATHER.items() if name != "annotations"}
VOLATILE = {**WEATHER, "_meta": {"memorepair/volatile": ["/at", "/station"]}}
RECIPE = {"tool": "weather", "arguments": {"city": "Oslo"}}


def context(recipe: Any = None, contract: dict[str, Any] = WEATHER, *supports: LiveSource) -> Context:
    contracts = Interfaces.of({contract["name"]: contract})
    return Context("cache/1", Kind.CACHE, recipe=recipe or RECIPE, interfaces=contracts, supports=supports)


def registry_of(tool: Callable[..., Any] | None = None, *runners: Any, **options: Any) -> Registry:
    registry = Registry()
    register(registry, **options)
    if tool is not None:
        registry.tool("weather")(tool)
    for runner in runners:
        registry.runner(runner)
    return registry


def operator_of(registry: Registry) -> Operator:
    operator = registry.find("replay@2")
    assert operator is not None
    return operator


def tried(registry: Registry, given: Context, retracted: tuple[str, ...] = ()) -> Attempt:
    return attempt(checked_job(operator_of(registry), given, retracted, lambda word: 99))


def in_pool(registry: Registry, given: Context) -> tuple[Attempt, float]:
    started = time.monotonic()
    ((_, made),) = attempts(Pool(1), [checked_job(operator_of(registry), given, (), lambda word: 99)])
    return made, time.monotonic() - started


def faulty(registry: Registry, given: Context, content: str, retracted: tuple[str, ...] = ()) -> Attempt:
    """An attempt whose first run returns this content; the second replay is the real one."""
    real = operator_of(registry)
    first = iter([Payload(content)])

    async def run(asked: Context) -> Any:
        return next(first, None) or await real.run(asked)

    return attempt(checked_job(replace(real, run=run), given, retracted, lambda word: 99))


# The call


def test_a_tool_is_really_called_twice_and_its_answer_is_kept_as_canonical_json() -> None:
    calls = []

    def weather(city: str) -> dict[str, Any]:
        calls.append(city)
        return {"temp": 17.5, "station": "x9"}

    made = tried(registry_of(weather), context())
    assert made.outcome is None
    assert made.payload is not None
    assert made.payload.content == '{"station":"x9","temp":17.5}'
    assert calls == ["Oslo", "Oslo"]
    assert made.read == {"weather"}
    assert [verdict.check for verdict in made.checks] == [
        "replay",
        "schema",
        "regression",
        "residue",
        "canonical",
        "response",
    ]


def test_an_async_tool_is_awaited_and_an_expression_picks_from_its_answer() -> None:
    async def weather(city: str, days: int) -> dict[str, Any]:
        return {"temp": days}

    recipe = {
        "tool": "weather",
        "arguments": {"city": "Oslo", "days": 3},
        "expression": "{call: arguments.city, temp: result.temp}",
    }
    made = tried(registry_of(weather), context(recipe))
    assert made.payload is not None
    assert made.payload.content == '{"call":"Oslo","temp":3}'


def test_a_text_that_is_json_is_kept_in_its_canonical_form_and_other_texts_as_they_are() -> None:
    plain = {"name": "weather", "inputSchema": {}, "annotations": {"readOnlyHint": True}}
    for answer, content in [('{"b": 1, "a": 2}', '{"a":2,"b":1}'), ("It rains.", "It rains."), ("[NaN", "[NaN")]:
        made = tried(registry_of(lambda city, said=answer: said), context(contract=plain))
        assert made.payload is not None, made.reason
        assert made.payload.content == content


def test_arguments_that_the_contract_does_not_take_are_never_sent() -> None:
    def weather(**arguments: Any) -> Any:
        raise AssertionError("called")

    for arguments in ({}, {"city": 4}, {"city": "Oslo", "country": "NO"}):
        made = tried(registry_of(weather), context({"tool": "weather", "arguments": arguments}))
        assert made.outcome is Outcome.OPERATOR_FAILED
        assert made.reason.startswith("arguments: the contract of weather does not take the recorded call: $")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            {"temp": "warm"},
            'response: what weather answers breaks its contract: $.temp: "warm" is not of type "number"',
        ),
        ({"at": 3}, 'response: what weather answers breaks its contract: $: "temp" is a required property'),
        (None, "response: weather answers nothing"),
        ({"temp": float("nan")}, "response: what weather answers is no JSON"),
        ({"temp": {1, 2}}, "response: what weather answers is no JSON"),
    ],
)
def test_an_answer_that_breaks_the_contract_is_a_failure_that_says_where(answer: Any, message: str) -> None:
    made = tried(registry_of(lambda city: answer), context())
    assert made.outcome is Outcome.OPERATOR_FAILED
    assert made.reason.startswith(message)


def test_a_tool_that_errs_fails_with_what_it_said() -> None:
    def weather(city: str) -> Any:
        raise RuntimeError(f"no station in {city}")

    made = tried(registry_of(weather), context())
    assert (made.outcome, made.reason) == (Outcome.OPERATOR_FAILED, "RuntimeError: no station in Oslo")


def test_an_answer_that_changes_its_own_arguments_or_later_itself_changes_nothing() -> None:
    answers: list[dict[str, Any]] = []

    def runner(tool: str, arguments: dict[str, Any]) -> Any:
        arguments["city"] = "Bergen"
        if answers:
            answers[0]["temp"] = 99
        answers.append({"temp": 17})
        return answers[-1]

    made = tried(registry_of(None, runner), context())
    assert made.payload is not None, made.reason
    assert made.payload.content == '{"temp":17}'


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ("weather", "is a JSON object, not str"),
        ({"arguments": {}}, "tool: Field required"),
        ({"tool": "weather", "arguments": []}, "arguments: Input should be a valid dictionary"),
        ({"tool": "weather", "retries": 3}, "retries: there is no such field"),
        ({"tool": "fax"}, "'fax' has no contract in force"),
        ({**RECIPE, "expression": "result."}, "the expression 'result.' fails"),
        ({**RECIPE, "expression": "result.wind"}, "finds nothing"),
        ({**RECIPE, "volatile": ["at"]}, "a volatile place is a JSON Pointer"),
    ],
)
def test_a_recipe_that_is_none_says_why(recipe: Any, message: str) -> None:
    made = tried(registry_of(lambda city: {"temp": 1}), context(recipe))
    assert made.outcome is Outcome.OPERATOR_FAILED
    assert message in made.reason


# Who is asked


def test_the_first_runner_that_has_the_tool_answers() -> None:
    recorded = RecordedRunner([("weather", {"city": "Oslo"}, {"temp": 2})])
    other = RecordedRunner([("weather", {"city": "Oslo"}, {"temp": 3}), ("weather", {"city": "Rome"}, {"temp": 4})])
    registry = registry_of(None, recorded, other)

    def content(city: str) -> str:
        made = tried(registry, context({"tool": "weather", "arguments": {"city": city}}))
        return made.payload.content if made.payload else made.reason

    assert content("Oslo") == '{"temp":2}'
    assert content("Rome") == '{"temp":4}'
    told = content("Turin")
    assert told.startswith("no tool 'weather' is registered; there are none; no response of weather to")
    assert '{"city":"Turin"}' in told
    registry.tool("weather")(lambda city: {"temp": 1})
    assert content("Oslo") == '{"temp":1}'


def test_recordings_are_found_by_canonical_arguments_and_contradictions_are_refused(tmp_path: Path) -> None:
    lines = [
        {"tool": "weather", "arguments": {"city": "Oslo", "days": 2}, "response": {"temp": 5}},
        {"tool": "weather", "arguments": {"days": 2, "city": "Oslo"}, "response": {"temp": 5}},
    ]
    file = tmp_path / "recorded.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\n")
    runner = RecordedRunner.from_file(file)
    assert len(runner) == 1
    assert runner("weather", {"days": 2, "city": "Oslo"}) == {"temp": 5}
    runner("weather", {"days": 2, "city": "Oslo"})["temp"] = 9
    assert runner("weather", {"days": 2, "city": "Oslo"}) == {"temp": 5}
    with pytest.raises(BadInput, match="two recorded responses"):
        runner.record("weather", {"city": "Oslo", "days": 2}, {"temp": 6})
    file.write_text('{"tool": "weather"}\n')
    with pytest.raises(BadInput, match="line 1: a recording has tool, arguments and response"):
        RecordedRunner.from_file(file)
    with pytest.raises(BadInput, match="cannot read"):
        RecordedRunner.from_file(tmp_path / "none")


# Time and passing errors


@pytest.mark.parametrize("asleep", ["sync", "async"])
def test_a_tool_that_hangs_is_given_up_at_the_declared_limit(asleep: str) -> None:
    async def later(city: str) -> Any:
        import asyncio

        await asyncio.sleep(20)

    def hangs(city: str) -> Any:
        time.sleep(20)

    registry = registry_of(hangs if asleep == "sync" else later, timeout=0.3)
    made, seconds = in_pool(registry, context())
    assert (made.outcome, made.reason) == (Outcome.OPERATOR_FAILED, "no answer within 0.3 s")
    assert seconds < 3


@pytest.mark.parametrize("error", [ConnectionError, TimeoutError, Passing])
def test_an_error_that_can_pass_is_tried_again_and_another_is_not(error: type[Exception]) -> None:
    turns = itertools.count()

    def weather(city: str) -> Any:
        if next(turns) == 0:
            raise error("not now")
        return {"temp": 1}

    made = tried(registry_of(weather, retries=1), context())
    assert made.payload is not None, made.reason
    assert next(turns) == 3  # failed, answered, replayed

    stubborn = itertools.count()

    def refuses(city: str) -> Any:
        next(stubborn)
        raise ValueError("never")

    assert tried(registry_of(refuses, retries=1), context()).outcome is Outcome.OPERATOR_FAILED
    assert next(stubborn) == 1


# What may differ


def test_a_tool_that_answers_differently_twice_is_rejected_with_the_difference() -> None:
    turns = itertools.count(1)
    made = tried(registry_of(lambda city: {"temp": 1, "at": next(turns)}), context())
    assert made.outcome is Outcome.REJECTED
    assert made.reason == "replay: a second replay differs: $.at: 1, then 2"


def test_what_the_contract_or_the_recipe_declares_volatile_may_differ_and_is_kept() -> None:
    for recipe, contract in [
        (RECIPE, VOLATILE),
        ({**RECIPE, "volatile": ["/at"]}, WEATHER),
        ({**RECIPE, "expression": "{t: result.temp, when: result.at}"}, VOLATILE),
    ]:
        turns = itertools.count(1)
        made = tried(registry_of(lambda city, now=turns: {"temp": 1, "at": next(now)}), context(recipe, contract))
        assert made.payload is not None, made.reason
        assert 1 in json.loads(made.payload.content).values()


def test_a_difference_elsewhere_is_seen_beside_volatile_places() -> None:
    turns = itertools.count(1)
    made = tried(registry_of(lambda city: {"temp": next(turns), "at": next(turns)}), context(contract=VOLATILE))
    assert made.reason == "replay: a second replay differs: $.temp: 1, then 3"


def test_what_is_volatile_all_over_is_no_result() -> None:
    turns = itertools.count(1)
    given = context({**RECIPE, "expression": "result.at"}, VOLATILE)
    made = tried(registry_of(lambda city: {"temp": 1, "at": next(turns)}), given)
    assert made.outcome is Outcome.REJECTED
    assert "without its volatile places nothing is left" in made.reason


# What acts twice


UNSAID = (
    "nothing says that it only reads, neither its contract (readOnlyHint or idempotentHint true), nor its recipe "
    '("reads": true), nor who calls it (registry.tool or registry.runner with reads)'
)


@pytest.mark.parametrize(
    ("hints", "recipe", "refused"),
    [
        (None, {}, UNSAID),
        ({}, {}, UNSAID),
        ("read only", {}, UNSAID),
        ({"title": "Merge a branch"}, {}, UNSAID),
        ({"readOnlyHint": "true", "idempotentHint": 1}, {}, UNSAID),
        ({"destructiveHint": False}, {}, UNSAID),
        ({"readOnlyHint": True}, {}, ""),
        ({"readOnlyHint": True, "idempotentHint": False}, {}, ""),
        ({"readOnlyHint": True, "destructiveHint": True}, {}, ""),
        ({"readOnlyHint": False, "idempotentHint": True, "destructiveHint": True}, {}, ""),
        ({"idempotentHint": False}, {}, "its contract says idempotentHint false"),
        ({"readOnlyHint": False}, {}, "its contract says readOnlyHint false"),
        ({"destructiveHint": True}, {}, "its contract says destructiveHint true"),
        (None, {"reads": True}, ""),
        ({"title": "Look up"}, {"reads": True}, ""),
        (None, {"idempotent": True}, ""),
        ({"readOnlyHint": False}, {"reads": True}, "its contract says readOnlyHint false"),
        ({"destructiveHint": True}, {"idempotent": True}, "its contract says destructiveHint true"),
        ({"readOnlyHint": True}, {"reads": False}, "its recipe says that it does not only read"),
        ({"readOnlyHint": True}, {"idempotent": False}, "its recipe says that it is not idempotent"),
    ],
)
@pytest.mark.parametrize("operator_name", ["replay@1", "replay@2"])
def test_a_tool_that_could_act_twice_is_refused_and_never_called(
    operator_name: str, hints: Any, recipe: Any, refused: str
) -> None:
    called = []

    def weather(city: str) -> Any:
        called.append(city)
        return {"temp": 1}

    contract = WITHOUT_HINTS if hints is None else {**WEATHER, "annotations": hints}
    registry, given = registry_of(weather), context({**RECIPE, **recipe}, contract)
    replay_1.register(registry)
    operator = registry.find(operator_name)
    assert operator is not None
    assert operator.refuses is not None
    assert operator.refuses(given) == (refused and f"a call of weather is not repeated: {refused}")
    made = attempt(checked_job(operator, given, (), lambda word: 99))
    assert bool(called) is (not refused)
    assert made.reason == operator.refuses(given)


def test_who_registers_a_tool_or_a_runner_may_say_that_it_reads_but_not_against_the_contract() -> None:
    given = context(contract=WITHOUT_HINTS)

    class Reader:
        def __call__(self, tool: str, arguments: dict[str, Any]) -> Any:
            return {"temp": 3}

        def reads(self, tool: str) -> bool:
            return tool == "weather"

    registries = [registry_of() for _ in range(5)]
    registries[0].tool("weather", reads=True)(lambda city: {"temp": 3})
    registries[1].runner(lambda tool, arguments: {"temp": 3}, reads=True)
    registries[2].runner(lambda tool, arguments: {"temp": 3}, reads=["weather", "tides"])
    registries[3].runner(Reader())
    registries[4].runner(reads=True)(lambda tool, arguments: {"temp": 3})
    for registry in registries:
        made = tried(registry, given)
        assert made.payload is not None, made.reason
        assert made.payload.content == '{"temp":3}'
        acting = context(contract={**WEATHER, "annotations": {"readOnlyHint": False}})
        assert tried(registry, acting).reason == (
            "a call of weather is not repeated: its contract says readOnlyHint false"
        )
    tides = registry_of(None)
    tides.runner(lambda tool, arguments: {"temp": 3}, reads=["tides"])
    assert tried(tides, given).reason == f"a call of weather is not repeated: {UNSAID}"
    with pytest.raises(BadInput, match="true or the names of its tools, not one string"):
        tides.runner(lambda tool, arguments: None, reads="weather")
    with pytest.raises(BadInput, match="is true or false"):
        tides.tool("weather", reads="yes")  # type: ignore[arg-type]


def test_only_those_are_asked_who_say_that_they_read() -> None:
    acted = []
    registry = registry_of(lambda city: acted.append("tool"), lambda tool, arguments: acted.append("runner"))
    registry.runner(RecordedRunner([("weather", {"city": "Oslo"}, {"temp": 4})]))
    made = tried(registry, context(contract=WITHOUT_HINTS))
    assert made.payload is not None, made.reason
    assert (made.payload.content, acted) == ('{"temp":4}', [])
    other = tried(registry, context({"tool": "weather", "arguments": {"city": "Rome"}}, WITHOUT_HINTS))
    assert other.reason.startswith("no response of weather to")
    assert not acted


def test_where_nobody_here_could_call_the_tool_it_fails_and_is_not_removed() -> None:
    refuses = operator_of(registry_of()).refuses
    assert refuses is not None
    assert refuses(context(contract=WITHOUT_HINTS)) == ""
    assert "no tool 'weather' is registered" in tried(registry_of(), context(contract=WITHOUT_HINTS)).reason


# What the contract documents


BRANCHES: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "at": {"type": "object", "properties": {"branch": {"type": "string"}}},
        "also": {"type": "array", "items": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/place"}]}},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "$defs": {"place": {"type": "object", "properties": {"branch": {"type": "string"}}}},
}


def without_branch(schema: Any) -> Any:
    """The same schema with `ref` for every `branch`."""
    return json.loads(json.dumps(schema).replace('"branch"', '"ref"'))


@pytest.mark.parametrize("operator_name", ["replay@1", "replay@2"])
@pytest.mark.parametrize("closed", [None, True, False])
@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"path": "a.py", "branch": "dev"}, "branch"),
        ({"path": "a.py", "at": {"branch": "dev"}}, "at.branch"),
        ({"path": "a.py", "also": [None, {"branch": "dev"}]}, "also[1].branch"),
    ],
)
def test_a_recorded_call_with_a_parameter_that_is_not_documented_any_more_is_refused(
    operator_name: str, closed: bool | None, arguments: dict[str, Any], path: str
) -> None:
    called = []

    def get_file(**given: Any) -> Any:
        called.append(given)
        return {"text": "of main"}

    registry = Registry()
    register(registry)
    replay_1.register(registry)
    registry.tool("get_file", reads=True)(get_file)
    operator = registry.find(operator_name)
    assert operator is not None
    old = {**BRANCHES, "properties": {**BRANCHES["properties"], "branch": {"type": "string"}}}
    open_ = {} if closed is None else {"additionalProperties": not closed}
    for schema, taken in ((old, True), (without_branch(old), False)):
        contract = {"name": "get_file", "inputSchema": {**schema, **open_}}
        given = context({"tool": "get_file", "arguments": arguments}, contract)
        made = attempt(checked_job(operator, given, (), lambda word: 99))
        assert (made.payload is not None) is taken, made.reason
        assert bool(called) is taken
        called.clear()
        if not taken and not (closed and path == "branch"):
            assert f"it does not document {path}" in made.reason


def test_what_a_contract_leaves_open_or_documents_by_a_pattern_is_taken() -> None:
    free = {
        "type": "object",
        "properties": {"labels": BRANCHES["properties"]["labels"], "options": {"type": "object"}},
        "patternProperties": {"^x_": {"type": "integer"}},
        "allOf": [{"properties": {"either": {"oneOf": [{"type": "string"}, {"properties": {"a": {}}}]}}}],
    }
    arguments = {"labels": {"any": "thing"}, "options": {"deep": [1]}, "x_y": 4, "either": {"a": 1}}
    assert call_fault({"inputSchema": free}, arguments) == ""
    assert call_fault({"inputSchema": free}, {**arguments, "y_x": 1}) == "it does not document y_x"
    assert call_fault({"inputSchema": {"$ref": "#/$defs/all", "$defs": {"all": free}}}, arguments) == ""
    assert call_fault({"inputSchema": {"type": "object"}}, {"q": 1}) == "it does not document q"
    assert recorded_call_fault({"inputSchema": {"type": "object"}}, {"q": 1}) == "it does not document q"
    assert recorded_call_fault({"inputSchema": {}}, {"q": 1}) == recorded_call_fault({}, {"q": 1}) == ""


# Each check alone


def answers(city: str) -> dict[str, Any]:
    return {"temp": 17, "at": 5, "station": "x9"}


def failed(made: Attempt) -> str:
    assert made.outcome is Outcome.REJECTED
    assert [verdict.ok for verdict in made.checks] == [True] * (len(made.checks) - 1) + [False]
    return made.checks[-1].check


def passes_all_but(made: Attempt, given: Context, content: str) -> set[str]:
    """The checks of replay@2, its own and its mode's but the replay, that object to a content, each asked by itself."""
    operator, review = operator_of(registry_of(answers)), Review(given, (), lambda word: 99, Payload(content))
    trial = CheckInput(review, operator, (), lambda: Payload(content))
    said = [check(review, content) for check in operator.validators]
    said += [check.judge(trial) for check in CHECKS[operator.mode] if check.name != "replay"]
    return {verdict.check for verdict in said if not verdict.ok}


@pytest.mark.parametrize(
    ("check", "content", "recipe"),
    [
        ("replay", '{"at":5,"station":"x9","temp":18}', {}),
        ("canonical", '{"at":5, "station":"x9","temp":17}', {}),
        ("response", '{"at":"now","station":"x9","temp":17}', {}),
        ("schema", '{"at":5,"station":"x9 and a half","temp":17}', {}),
        ("regression", '{"at":5,"station":"closed","temp":17}', {}),
    ],
)
def test_each_check_catches_a_fault_that_it_alone_catches(check: str, content: str, recipe: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"station": {"maxLength": 8}}}
    given = context({**RECIPE, **recipe, "schema": schema, "checks": [{"must_not": ["closed"]}]}, VOLATILE)
    made = faulty(registry_of(answers), given, content)
    assert failed(made) == check
    assert passes_all_but(made, given, content) == {check} - {"replay"}


def test_a_retracted_text_in_a_volatile_place_is_seen_by_the_residue_check_alone() -> None:
    given = context(contract=VOLATILE)
    content = '{"at":5,"station":"Nybrogatan","temp":17}'
    made = faulty(registry_of(answers), given, content, ("Anna lives at Nybrogatan.",))
    assert failed(made) == "residue"
    assert passes_all_but(made, given, content) == set()


def test_the_verdict_of_a_check_says_what_it_saw_and_what_it_wanted() -> None:
    made = faulty(registry_of(answers), context(contract=VOLATILE), '{"temp":17, "at":5,"station":"x9"}')
    verdict = made.checks[-1]
    assert (verdict.saw, verdict.wanted) == (
        '{"temp":17, "at":5,"station":"x9"}',
        '{"at":5,"station":"x9","temp":17}',
    )


def test_a_check_of_the_answer_that_saw_no_answer_does_not_say_ok() -> None:
    def verdict(**given: Any) -> Any:
        made = tried(
            registry_of(answers), context({**RECIPE, **given.get("recipe", {})}, given.get("contract", WEATHER))
        )
        return made.checks[-1].check, made.checks[-1].state, made.checks[-1].reason

    assert verdict() == ("response", "ok", "")
    open_ = {name: value for name, value in WEATHER.items() if name != "outputSchema"}
    assert verdict(contract=open_) == ("response", "not_applicable", "the contract has no result schema")
    assert verdict(recipe={"expression": "result.temp"}) == (
        "response",
        "not_applicable",
        "the expression does not keep the answer whole",
    )
