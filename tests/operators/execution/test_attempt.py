"""Whatever an operator or a validator does wrong, its attempt has the exact outcome, and the rest goes on."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from typing import Any

import pytest

from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.vocabulary import Mode, Outcome
from memorepair_graphdb.operators.execution.attempt import attempt, attempts
from memorepair_graphdb.operators.execution.pool import Pool
from memorepair_graphdb.operators.execution.stage import Attempt, Job
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.payload import Payload
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.operators.protocol.verdict import Review, Verdict
from memorepair_graphdb.repair.execution.validation import CHECKS, checked_job

SOURCES = (LiveSource("resp/1", "response", Kind.RECORD, "It is mild in Oslo."),)
WEATHER = {"name": "weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}


def job(
    run: Callable[[Context], Any],
    *validators: Callable[[Review, str], Any],
    mode: Mode | str = Mode.REGEN,
    retracted: tuple[str, ...] = (),
    recipe: Any = None,
    timeout: float = 5.0,
    **settings: Any,
) -> Job:
    registry = Registry()
    registry.operator("probe@1", mode=mode, timeout=timeout, **settings)(run)
    for validator in validators:
        registry.validator("probe@1")(validator)
    operator = registry.find("probe@1")
    assert operator is not None
    context = Context(
        "sum/1",
        Kind.SUMMARY,
        recipe=recipe,
        interfaces=Interfaces({"weather": ("a_7", _json(WEATHER))}),
        supports=SOURCES,
    )
    return checked_job(operator, context, retracted, lambda word: 99)


def _json(value: Any) -> str:
    return Payload(value).content


def only(one: Job, workers: int = 1) -> Attempt:
    ((number, made),) = attempts(Pool(workers), [one])
    assert number == 0
    return made


def mild(context: Context) -> str:
    return "It is mild."


def test_a_good_run_ends_in_its_payload() -> None:
    made = only(job(mild))
    assert (made.payload, made.outcome, made.reason) == (Payload("It is mild."), None, "")
    assert [verdict.check for verdict in made.checks] == ["schema", "regression", "residue"]
    assert all(verdict.ok for verdict in made.checks)


def test_every_mode_but_remove_is_checked() -> None:
    assert set(CHECKS) == set(Mode)
    assert [mode for mode in Mode if not CHECKS[mode]] == [Mode.REMOVE]


class Strange(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def raises(context: Context) -> str:
    raise KeyError("city")


def raises_strangely(context: Context) -> str:
    raise Strange


def leaves(context: Context) -> str:
    raise SystemExit(1)


def interrupts(context: Context) -> str:
    raise KeyboardInterrupt


async def awaits_and_raises(context: Context) -> str:
    await asyncio.sleep(0)
    raise ValueError("late")


async def is_cancelled(context: Context) -> str:
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (raises, "KeyError: 'city'"),
        (raises_strangely, "Strange"),
        (leaves, "SystemExit: 1"),
        (interrupts, "KeyboardInterrupt"),
        (awaits_and_raises, "ValueError: late"),
        (is_cancelled, "CancelledError"),
        (lambda context: None, "returned nothing (None)"),
        (lambda context: "  \n", "returned nothing (an empty text)"),
        (lambda context: b"bytes", "returned bytes; an operator returns str, dict, list or Payload"),
        (lambda context: 42, "returned int; an operator returns str, dict, list or Payload"),
        (lambda context: (word for word in "ab"), "returned generator; an operator returns str, dict, list or Payload"),
        (lambda context: {"a": {1}}, "content is neither text nor JSON: Object of type set is not JSON serializable"),
        (
            lambda context: [float("nan")],
            "content is neither text nor JSON: Out of range float values are not JSON compliant",
        ),
        (lambda context: Payload("a", blob="text"), "blob is str, not bytes"),  # type: ignore[arg-type]
        (lambda context: Payload("a", embedding=[0.0]), "embedding is empty, all zero, or holds NaN or an infinity"),
        (lambda context: Payload("a", spent=-1), "spent is a number of tokens, finite and not negative, not -1"),
        (lambda context: context.source("resp/9").content, "sum/1 has no source 'resp/9' in service, only ['resp/1']"),
    ],
)
def test_a_failing_operator_is_told_with_its_reason(run: Callable[[Context], Any], reason: str) -> None:
    made = only(job(run))
    assert made.outcome is Outcome.OPERATOR_FAILED
    assert made.payload is None
    assert made.reason.startswith(reason)
    assert made.checks == ()


def hangs(context: Context) -> str:
    time.sleep(60)
    return "never"


async def hangs_awaiting(context: Context) -> str:
    await asyncio.sleep(60)
    return "never"


async def holds_on(context: Context) -> str:
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        time.sleep(60)
    return "never"


@pytest.mark.parametrize("run", [hangs, hangs_awaiting, holds_on])
def test_a_hanging_operator_fails_at_its_limit_and_the_others_go_on(run: Callable[[Context], Any]) -> None:
    started = time.monotonic()
    made = dict(attempts(Pool(1), [job(run, timeout=0.2), *(job(mild) for _ in range(20))]))
    assert time.monotonic() - started < 5
    assert made[0].outcome is Outcome.OPERATOR_FAILED
    assert made[0].reason == "no answer within 0.2 s"
    assert all(made[n].outcome is None for n in range(1, 21))


def test_an_async_operator_is_awaited() -> None:
    async def slow(context: Context) -> str:
        await asyncio.sleep(0.01)
        return "It is mild."

    assert only(job(slow)).payload == Payload("It is mild.")


def test_an_operators_own_timeout_error_is_its_error() -> None:
    async def asks(context: Context) -> str:
        raise TimeoutError("the service was slow")

    assert only(job(asks)).reason == "TimeoutError: the service was slow"


def says_no(review: Review, content: str) -> bool:
    return False


def says_why(review: Review, content: str) -> Verdict:
    return Verdict(False, reason="too long")


def breaks(review: Review, content: str) -> bool:
    raise ZeroDivisionError("by zero")


def says_nothing(review: Review, content: str) -> None:
    return None


def sleeps(review: Review, content: str) -> bool:
    time.sleep(60)
    return True


async def sleeps_awaiting(review: Review, content: str) -> bool:
    await asyncio.sleep(60)
    return True


@pytest.mark.parametrize(
    ("validator", "reason"),
    [
        (says_no, "says_no: no"),
        (says_why, "says_why: too long"),
        (breaks, "breaks: ZeroDivisionError: by zero"),
        (says_nothing, "says_nothing: said None; a validator says True, False or a Verdict"),
        (sleeps, "sleeps: no answer within 0.2 s"),
        (sleeps_awaiting, "sleeps_awaiting: no answer within 0.2 s"),
    ],
)
def test_a_validator_that_says_no_raises_or_hangs_rejects(validator: Callable[..., Any], reason: str) -> None:
    made = only(job(mild, validator, timeout=0.2))
    assert (made.outcome, made.reason, made.payload) == (Outcome.REJECTED, reason, None)
    assert made.checks[-1].ok is False
    assert [verdict.check for verdict in made.checks[:-1]] == ["schema", "regression", "residue"]


def sees_nothing(review: Review, content: str) -> Verdict:
    return Verdict.not_applicable("runs", "no run is recorded")


def sees_it(review: Review, content: str) -> bool:
    return True


def test_a_check_without_anything_to_look_at_says_not_applicable_and_stops_nothing() -> None:
    done = only(job(mild, sees_nothing))
    assert (done.outcome, done.payload) == (None, Payload("It is mild."))
    assert [(verdict.check, verdict.state) for verdict in done.checks] == [
        ("schema", "not_applicable"),
        ("regression", "not_applicable"),
        ("residue", "not_applicable"),
        ("runs", "not_applicable"),
    ]


def test_the_checks_of_a_mode_say_ok_where_they_had_something_to_look_at() -> None:
    recipe = {"schema": {"type": "string"}, "checks": [{"must": ["mild"]}]}
    done = only(job(mild, recipe=recipe, retracted=("Ann lives at Elm Road 4.",)))
    assert [(verdict.check, verdict.state) for verdict in done.checks] == [
        ("schema", "ok"),
        ("regression", "ok"),
        ("residue", "ok"),
    ]


def test_a_successor_is_rejected_where_no_check_that_could_vouch_for_it_saw_anything() -> None:
    done = only(job(mild, sees_nothing, vouching=("runs",)))
    assert (done.outcome, done.payload) == (Outcome.REJECTED, None)
    assert done.reason == "vouched: nothing vouches for it (runs: no run is recorded)"
    assert [verdict.state for verdict in done.checks][-2:] == ["not_applicable", "failed"]


def test_one_check_that_saw_something_is_enough_to_vouch() -> None:
    done = only(job(mild, sees_nothing, sees_it, vouching=("runs", "sees_it")))
    assert (done.outcome, done.checks[-1].state) == (None, "ok")


def test_a_check_that_vouches_and_was_never_added_vouches_for_nothing() -> None:
    done = only(job(mild, vouching=("runs",)))
    assert done.reason == "vouched: nothing vouches for it (none of its checks was run)"


def test_an_async_validator_is_awaited() -> None:
    async def agrees(review: Review, content: str) -> bool:
        return content == "It is mild."

    assert only(job(mild, agrees)).outcome is None


def test_the_modes_checks_come_before_the_users_and_stop_them() -> None:
    called: list[str] = []

    def mine(review: Review, content: str) -> bool:
        called.append(content)
        return True

    made = only(job(lambda context: "Ask Alice Novak.", mine, retracted=("The customer Alice Novak called.",)))
    assert made.outcome is Outcome.REJECTED
    assert made.reason == "residue: the name 'Alice' is from a retracted text"
    assert called == []


def test_a_replay_that_changes_is_rejected_with_the_difference() -> None:
    count = itertools.count()
    made = only(job(lambda context: {"a": [1, {"n": next(count)}]}, mode="recompute"))
    assert (made.outcome, made.reason) == (Outcome.REJECTED, "replay: a second replay differs: $.a[1].n: 0, then 1")


def test_a_replay_that_only_orders_its_keys_otherwise_agrees() -> None:
    turn = itertools.cycle(['{"a":1,"b":2}', '{"b": 2, "a": 1}'])
    assert only(job(lambda context: next(turn), mode="recompute")).outcome is None


def test_a_replay_whose_text_changes_shows_where() -> None:
    turn = itertools.cycle(["mild in Oslo", "mild in Bergen"])
    made = only(job(lambda context: next(turn), mode="recompute"))
    assert made.reason == "replay: a second replay differs: $, character 8: 'mild in Oslo', then 'mild in Bergen'"


def test_a_replay_whose_blob_changes_is_rejected() -> None:
    turn = itertools.cycle([b"1", b"2"])
    made = only(job(lambda context: Payload("same", blob=next(turn)), mode="recompute"))
    assert made.reason == "replay: a second replay differs: in its blob"


def test_a_second_replay_that_raises_or_hangs_rejects() -> None:
    turn = itertools.count()

    def once(context: Context) -> str:
        if next(turn):
            raise OSError("gone")
        return "first"

    assert only(job(once, mode="recompute")).reason == "replay: OSError: gone"
    again = itertools.count()
    made = only(job(lambda context: "first" if not next(again) else hangs(context), mode="recompute", timeout=0.2))
    assert (made.outcome, made.reason) == (Outcome.REJECTED, "replay: no answer within 0.2 s")


def test_a_recomputed_result_that_leaks_is_rejected() -> None:
    made = only(job(lambda context: {"to": "Alice"}, mode="recompute", retracted=("Send it to Alice.",)))
    assert made.reason == "residue: the name 'Alice' is from a retracted text"


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        ({"schema": {"type": "object", "required": ["city"]}}, 'schema: $: "city" is a required property'),
        ({"schema": {"type": "objekt"}}, 'schema: the recipe\'s schema: cannot be used: "objekt" is not valid'),
        (
            {"schema": {"$ref": "https://example.com/s"}},
            "schema: the recipe's schema: cannot be used: Resource 'https://example.com/s'",
        ),
        ({"checks": [{"question": "Where?", "must": ["Oslo"]}]}, "regression: lacks 'Oslo' (Where?)"),
        ({"checks": [{"must_not": ["IT IS, mild"]}]}, "regression: says 'IT IS, mild'"),
        ({"checks": ["mild"]}, "regression: a stored check is an object with must or must_not"),
        ({"checks": [{"must": "mild"}]}, "regression: must of a stored check is a list of phrases"),
    ],
)
def test_a_regenerated_text_is_held_to_its_schema_and_its_stored_checks(recipe: Any, reason: str) -> None:
    content = {"weather": "It is mild."}
    made = only(job(lambda context: content, recipe=recipe))
    assert made.outcome is Outcome.REJECTED
    assert made.reason.startswith(reason)


def test_a_text_that_keeps_its_schema_and_checks_passes() -> None:
    recipe = {"schema": {"required": ["weather"]}, "checks": [{"must": ["it is mild"], "must_not": ["cold"]}]}
    assert only(job(lambda context: {"weather": "It is mild."}, recipe=recipe)).outcome is None


def test_spent_is_what_the_payload_says_else_the_estimate_and_failures_count() -> None:
    assert only(job(lambda context: Payload("a", spent=7))).spent == 7
    assert only(job(mild, cost=lambda context: 12)).spent == 12
    assert only(job(raises, cost=lambda context: 12)).spent == 12
    assert only(job(hangs, cost=lambda context: 12, timeout=0.2)).spent == 12
    assert only(job(mild, says_no, cost=lambda context: 12)).spent == 12
    assert only(job(mild, cost=lambda context: -1)).spent == len("It is mild in Oslo.") / 4, "the guess"


def test_the_contracts_that_the_run_read_are_named_and_no_others() -> None:
    def reads(context: Context) -> str:
        return f"Ask the {context.interfaces['weather']['name']} tool."

    def looks(review: Review, content: str) -> bool:
        return "weather" in review.context.interfaces["weather"]["name"]

    assert only(job(reads)).read == frozenset({"a_7"})
    assert only(job(mild, looks)).read == frozenset()
    assert only(job(mild, cost=lambda context: len(context.interfaces["weather"]))).read == frozenset()


def test_a_contract_that_was_read_is_live_and_one_that_was_not_is_no_excuse() -> None:
    retracted = ("They use the Weather tool.",)

    def reads(context: Context) -> str:
        return f"Ask {context.interfaces['weather']['name']}."

    assert only(job(reads, retracted=retracted)).outcome is None
    assert only(job(lambda context: "Ask weather.", retracted=retracted)).outcome is Outcome.REJECTED


def test_an_attempt_can_be_made_without_a_pool() -> None:
    assert attempt(job(mild)).payload == Payload("It is mild.")


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        ({"schema": {"type": "object", "required": ["city"]}}, 'schema: $: "city" is a required property'),
        ({"checks": [{"question": "Where?", "must": ["Rome"]}]}, "regression: lacks 'Rome' (Where?)"),
    ],
)
def test_a_recomputed_result_is_held_to_its_schema_and_its_stored_checks_too(recipe: Any, reason: str) -> None:
    made = only(job(lambda context: {"town": "Oslo"}, mode="recompute", recipe=recipe))
    assert (made.outcome, made.reason) == (Outcome.REJECTED, reason)
