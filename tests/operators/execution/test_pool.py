"""A pool delivers every result once, within its limit, whatever one task does."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from contextvars import ContextVar
from functools import partial

import pytest

from memorepair_graphdb.operators.execution.pool import Pool, Stage, Task
from tests.harness.waiting import soon

COLOUR: ContextVar[str] = ContextVar("COLOUR", default="none")


def squared(n: int, stage: Stage) -> int:
    return n * n


def test_every_task_has_one_result() -> None:
    results = list(Pool(3).run(Task(partial(squared, n), 5.0) for n in range(500)))
    assert sorted((result.number, result.value) for result in results) == [(n, n * n) for n in range(500)]


def test_no_tasks_have_no_results() -> None:
    assert list(Pool(2).run([])) == []


def test_a_hung_task_gives_its_result_at_once_and_the_others_go_on() -> None:
    released = threading.Event()
    hung = Task[int](lambda stage: released.wait(30), 0.2)
    tasks = [hung, *(Task(partial(squared, n), 5.0) for n in range(50))]
    started = time.monotonic()
    results = {result.number: result for result in Pool(1).run(tasks)}
    released.set()
    assert time.monotonic() - started < 5
    assert results[0].overran == ""
    assert results[0].limit == 0.2
    assert [results[n + 1].value for n in range(50)] == [n * n for n in range(50)]


def test_an_endless_loop_is_ended_after_its_limit() -> None:
    ended = threading.Event()

    def spin(stage: Stage) -> None:
        try:
            while True:
                pass
        finally:
            ended.set()

    assert next(Pool(1).run([Task(spin, 0.1)])).overran == ""
    assert ended.wait(5)


def test_each_stage_has_its_own_limit() -> None:
    def work(stage: Stage) -> str:
        time.sleep(0.15)
        stage.enter("second", 0.3)
        time.sleep(0.2)
        stage.enter("third", 0.1)
        time.sleep(10)
        return "never"

    (result,) = Pool(1).run([Task(work, 0.3)])
    assert (result.overran, result.limit) == ("third", 0.1)


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), KeyboardInterrupt()])
def test_whatever_a_task_raises_is_its_own_result(error: BaseException) -> None:
    def work(stage: Stage) -> None:
        raise error

    results = list(Pool(2).run([Task(work, 5.0), Task(lambda stage: None, 5.0)]))
    assert {result.number: result.error for result in results} == {0: error, 1: None}


def test_tasks_see_the_callers_context_variables() -> None:
    COLOUR.set("green")
    seen = [result.value for result in Pool(2).run(Task(lambda stage: COLOUR.get(), 5.0) for _ in range(20))]
    assert seen == ["green"] * 20


def test_a_tasks_context_variables_do_not_reach_another() -> None:
    def paint(stage: Stage) -> str:
        before = COLOUR.get()
        COLOUR.set("red")
        return before

    COLOUR.set("blue")
    assert {result.value for result in Pool(1).run(Task(paint, 5.0) for _ in range(20))} == {"blue"}


def test_results_come_while_others_still_run() -> None:
    gate = threading.Event()
    results = Pool(2).run([Task(lambda stage: gate.wait(10), 20.0), Task(lambda stage: "early", 20.0)])
    assert next(results).value == "early"
    gate.set()
    assert next(results).number == 0


def test_closing_the_iterator_starts_nothing_more() -> None:
    begun: list[int] = []

    def work(n: int, stage: Stage) -> None:
        begun.append(n)
        time.sleep(0.02)

    results = Pool(1).run(Task(partial(work, n), 5.0) for n in range(100))
    next(results)
    results.close()
    time.sleep(0.2)
    assert len(begun) <= 3


def test_no_thread_stays_when_all_is_done() -> None:
    before = set(threading.enumerate())
    list(Pool(4).run(Task(lambda stage: None, 5.0) for _ in range(100)))
    soon(lambda: not set(threading.enumerate()) - before, 5)


def test_a_pool_has_a_worker() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Pool(0)


HUNG = """
import time
from memorepair_graphdb.operators.execution.pool import Pool, Task
for result in Pool(2).run([Task(lambda stage: time.sleep(60), 0.1), Task(lambda stage: 1, 5.0)]):
    print(result.number, result.overran)
"""

INTERRUPTED = """
import os, signal, threading, time
from memorepair_graphdb.operators.execution.pool import Pool, Task
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    list(Pool(2).run([Task(lambda stage: time.sleep(60), 60.0)]))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(("program", "said"), [(HUNG, "0 "), (INTERRUPTED, "interrupted")])
def test_the_interpreter_ends_though_a_worker_hangs(program: str, said: str) -> None:
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert ended.returncode == 0
    assert said in ended.stdout
    assert ended.stderr == ""


def test_a_trivial_task_costs_little() -> None:
    tasks = 20_000
    started = time.process_time()
    assert sum(1 for _ in Pool(2).run(Task(lambda stage: None, 60.0) for _ in range(tasks))) == tasks
    assert (time.process_time() - started) / tasks < 100e-6  # 7 µs on an idle machine
