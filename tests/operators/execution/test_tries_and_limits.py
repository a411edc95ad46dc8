"""An operator is tried again after an error that can pass, and a process of its own holds it to its memory and time."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil
import pytest

from memorepair_graphdb.errors import OperatorError, Passing
from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.vocabulary import Outcome
from memorepair_graphdb.operators.execution.attempt import attempts
from memorepair_graphdb.operators.execution.pool import Pool
from memorepair_graphdb.operators.execution.stage import Attempt, Job
from memorepair_graphdb.operators.protocol.context import Context, Interfaces
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.operators.protocol.verdict import Review, Verdict
from tests.harness.waiting import soon

CONTEXT = Context("sum/1", Kind.SUMMARY, interfaces=Interfaces({"weather": ("a_7", '{"name":"weather"}')}))
HANDY = """
import asyncio, os, signal, time

def hoards(context):
    return str(len(bytearray(400 * 2**20)))

def sips(context):
    return str(len(bytearray(20 * 2**20)))

def says_who_and_hangs_in_c(context):
    place = context.recipe["place"]
    open(place + "_", "w").write(str(os.getpid()))
    os.rename(place + "_", place)
    return hangs_in_c(context)

def hangs_in_c(context):
    return str(sum(range(10**12)))

def dies(context):
    os.kill(os.getpid(), signal.SIGKILL)

def leaves(context):
    os._exit(3)

def falls_silent(context):
    os.closerange(3, 256)
    time.sleep(600)

def refuses(context):
    raise ConnectionError("no route")

def dear(context):
    from memorepair_graphdb.errors import OperatorError
    raise OperatorError("no luck", spent=9)

def raises_a_closure(context):
    class Odd(Exception):
        pass
    raise Odd("strange")

class Picky(Exception):
    def __init__(self, where, what):
        super().__init__(f"{what} in {where}")

def raises_what_cannot_be_made_again(context):
    raise Picky("Oslo", "rain")

def reads(context):
    return {"read": context.interfaces["weather"]["name"], "process": os.getpid()}

async def waits(context):
    await asyncio.sleep(0.01)
    return "awaited"
"""


@pytest.fixture
def handy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A user's module, which another process can import too."""
    (tmp_path / "handy_operators.py").write_text(HANDY)
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("handy_operators")
    del sys.modules["handy_operators"]


def made_by(function: Callable[..., Any], **settings: Any) -> Attempt:
    registry = Registry()
    registry.operator("probe@1", mode="regen", **settings)(function)
    operator = registry.find("probe@1")
    assert operator is not None
    ((_, made),) = attempts(Pool(1), [Job(operator, CONTEXT)])
    return made


def failing(times: int, error: Exception) -> tuple[list[int], Callable[[Context], str]]:
    tries: list[int] = []

    def run(context: Context) -> str:
        tries.append(1)
        if len(tries) <= times:
            raise error
        return "done"

    return tries, run


@pytest.mark.parametrize("error", [Passing("busy"), ConnectionError("reset"), TimeoutError("late")])
def test_an_error_that_can_pass_is_tried_again_as_often_as_it_is_said(error: Exception) -> None:
    tries, run = failing(2, error)
    made = made_by(run, retries=2)
    assert made.payload is not None
    assert (made.payload.content, len(tries)) == ("done", 3)


def test_after_the_last_try_the_attempt_fails_with_the_last_error() -> None:
    tries, run = failing(9, Passing("busy"))
    made = made_by(run, retries=1)
    assert (made.outcome, made.reason, len(tries)) == (Outcome.OPERATOR_FAILED, "Passing: busy", 2)


def test_what_failed_tries_say_that_they_spent_is_spent() -> None:
    _, run = failing(2, Passing("busy", spent=40))
    made = made_by(run, retries=2, cost=lambda context: 7)
    assert (made.payload is not None, made.spent) == (True, 2 * 40 + 7)
    _, run = failing(9, Passing("busy", spent=40))
    assert made_by(run, retries=1, cost=lambda context: 7).spent == 2 * 40
    _, run = failing(1, OperatorError("refused", spent=12))
    assert made_by(run, cost=lambda context: 7).spent == 12
    _, run = failing(1, OperatorError("refused"))
    assert made_by(run, cost=lambda context: 7).spent == 7, "nobody counted: what was expected"


def test_what_a_try_in_another_process_spent_is_spent(handy: ModuleType) -> None:
    made = made_by(handy.dear, memory=200, cost=lambda context: 7)
    assert (made.reason, made.spent) == ("no luck", 9)


def test_an_error_that_cannot_pass_is_not_tried_again() -> None:
    tries, run = failing(1, ValueError("wrong"))
    made = made_by(run, retries=5)
    assert (made.reason, len(tries)) == ("ValueError: wrong", 1)


def test_without_retries_nothing_is_tried_again() -> None:
    tries, run = failing(1, Passing("busy"))
    assert made_by(run).outcome is Outcome.OPERATOR_FAILED
    assert len(tries) == 1


def test_more_memory_than_promised_fails_the_run_alone(handy: ModuleType) -> None:
    made = made_by(handy.hoards, memory=200)
    assert (made.outcome, made.reason) == (Outcome.OPERATOR_FAILED, "MemoryError")
    within = made_by(handy.sips, memory=200)
    assert within.payload is not None
    assert within.payload.content == str(20 * 2**20)


def test_a_loop_in_c_is_killed_at_its_time(handy: ModuleType) -> None:
    made = made_by(handy.hangs_in_c, memory=200, timeout=1)
    assert (made.outcome, made.reason) == (Outcome.OPERATOR_FAILED, "no answer within 1 s")


def test_a_process_that_dies_fails_its_run_and_the_next_one_answers(handy: ModuleType) -> None:
    made = made_by(handy.dies, memory=200)
    assert made.outcome is Outcome.OPERATOR_FAILED
    assert made.reason == "its process ended with code -9: more than 200 MiB, or killed"
    left = made_by(handy.leaves, memory=200)
    assert left.reason == "its process ended with code 3: it left before it answered, see standard error"
    assert made_by(handy.sips, memory=200).payload is not None


def test_a_process_that_closes_its_line_and_goes_on_is_killed(handy: ModuleType) -> None:
    made = made_by(handy.falls_silent, memory=200)
    assert made.reason == "its process ended with code -9: more than 200 MiB, or killed"


def test_however_many_processes_die_at_once_the_others_answer(handy: ModuleType) -> None:
    registry = Registry()
    registry.operator("dies@1", mode="regen", memory=200)(handy.dies)
    registry.operator("sips@1", mode="regen", memory=200)(handy.sips)
    dies, sips = registry.find("dies@1"), registry.find("sips@1")
    assert dies is not None
    assert sips is not None
    jobs = [Job(operator, CONTEXT) for operator in (dies, sips, dies) * 10]
    ended = {number: made.reason for number, made in attempts(Pool(6), jobs)}
    assert [ended[number] for number in range(1, 30, 3)] == [""] * 10
    assert {ended[number] for number in range(30) if number % 3 != 1} == {
        "its process ended with code -9: more than 200 MiB, or killed"
    }
    assert multiprocessing.active_children() == []


def test_processes_that_die_while_others_start_each_say_how(handy: ModuleType) -> None:
    """Each start asks after all others: without turns a third of these were told 255."""
    registry = Registry()
    registry.operator("dies@1", mode="regen", memory=200)(handy.dies)
    dies = registry.find("dies@1")
    assert dies is not None
    jobs = [Job(dies, CONTEXT)] * 120
    said = {made.reason for _, made in attempts(Pool(12), jobs)}
    assert said == {"its process ended with code -9: more than 200 MiB, or killed"}


def test_an_error_that_no_process_can_hand_over_is_told(handy: ModuleType) -> None:
    assert made_by(handy.raises_a_closure, memory=200).reason == "Odd: strange"
    assert made_by(handy.raises_what_cannot_be_made_again, memory=200).reason == "Picky: rain in Oslo"


def test_who_is_killed_takes_along_the_process_that_hangs_for_it(handy: ModuleType, tmp_path: Path) -> None:
    """A loop in C ends by nothing but a signal, and nobody is left to send one."""
    program = (
        "import handy_operators as handy; from memorepair_graphdb.operators.execution.isolated import run_apart;"
        "from memorepair_graphdb.operators.protocol.context import Context;"
        "from memorepair_graphdb.model.artifact import Kind;"
        "from memorepair_graphdb.operators.protocol.registry import Registry;"
        "r = Registry(); r.operator('h@1', mode='regen', memory=200)(handy.says_who_and_hangs_in_c);"
        "run_apart(r.find('h@1'), Context('sum/1', Kind.SUMMARY, recipe={'place': sys_argv}))"
    ).replace("sys_argv", repr(str(tmp_path / "process")))
    worker = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(tmp_path)})
    told = tmp_path / "process"
    try:
        process = int(soon(lambda: told.exists() and told.read_text(), 30))
    finally:
        worker.kill()
        worker.wait()
    soon(lambda: has_ended(process), 30)


def has_ended(process: int) -> bool:
    try:
        return psutil.Process(process).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_an_error_in_the_process_is_the_operators_own_and_can_be_tried_again(handy: ModuleType) -> None:
    made = made_by(handy.refuses, memory=200, retries=1)
    assert made.reason == "ConnectionError: no route"


def test_what_the_process_read_is_an_influence_as_it_is_here(handy: ModuleType) -> None:
    made = made_by(handy.reads, memory=200)
    assert made.payload is not None
    assert made.read == {"a_7"}
    assert f'"process":{os.getpid()}' not in made.payload.content
    assert '"read":"weather"' in made.payload.content


def test_a_coroutine_is_awaited_in_the_process(handy: ModuleType) -> None:
    made = made_by(handy.waits, memory=200)
    assert made.payload is not None
    assert made.payload.content == "awaited"


def test_a_function_that_no_other_process_can_import_is_told_so() -> None:
    made = made_by(lambda context: "x", memory=200)
    assert made.outcome is Outcome.OPERATOR_FAILED
    assert "pickle" in made.reason.casefold()


def test_a_verdict_shows_what_was_seen_and_what_was_wanted() -> None:
    registry = Registry()
    registry.operator("probe@1", mode="regen")(lambda context: "x")

    @registry.validator("probe@1")
    def length(review: Review, content: str) -> Verdict:
        return Verdict(False, "length", "too short", saw="1 character", wanted="3 or more")

    operator = registry.find("probe@1")
    assert operator is not None
    ((_, made),) = attempts(Pool(1), [Job(operator, CONTEXT)])
    assert made.reason == "length: too short (saw 1 character, wanted 3 or more)"


def test_an_operator_says_what_it_lacks_and_what_brings_it() -> None:
    registry = Registry()
    registry.operator("far@1", mode="regen", needs=("json", "no_such_module"), extra="moon")(lambda context: "x")
    registry.operator("near@1", mode="regen", needs=("json",))(lambda context: "x")
    far, near = registry.find("far@1"), registry.find("near@1")
    assert far is not None
    assert near is not None
    assert far.lacks == "needs no_such_module, not installed here: pip install 'memorepair-graphdb[moon]'"
    assert near.lacks == ""
    assert (registry.able("far@1"), registry.able("near@1"), registry.able("none@1")) == (False, True, False)


def test_an_operator_suits_the_kinds_it_is_made_for() -> None:
    registry = Registry()
    registry.operator("chains@1", mode="regen", kinds=(Arch.CHAIN,))(lambda context: "x")
    registry.operator("texts@1", mode="regen", kinds=("summary", "prompt"))(lambda context: "x")
    registry.operator("all@1", mode="regen")(lambda context: "x")
    chains, texts, every = (registry.find(name) for name in ("chains@1", "texts@1", "all@1"))
    assert chains is not None
    assert texts is not None
    assert every is not None
    assert chains.suits(Kind.SKILL, Arch.CHAIN)
    assert not chains.suits(Kind.SUMMARY, None)
    assert texts.suits(Kind.SKILL, Arch.PROMPT)
    assert not texts.suits(Kind.SKILL, Arch.CHAIN)
    assert every.suits(Kind.CACHE, None)
