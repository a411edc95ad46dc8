"""Ctrl-C at any moment is Ctrl-C, and who goes on after it is answered what it asked."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb.store.transactions import Transactions, Tx

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import Driver

ROWS = 300


def numbers(tx: Tx, start: int) -> list[int]:
    return tx.run("UNWIND range(1, $rows) AS i RETURN $start + i AS n", rows=ROWS, start=start).value()


def interrupted(again: Callable[[], object], after: float) -> None:
    """Do it again and again until a Ctrl-C that comes after so many seconds ends it."""
    press = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    press.start()
    until = time.monotonic() + 60
    try:
        while time.monotonic() < until:
            again()
    finally:
        press.cancel()  # where something else ended it, no other test is interrupted
    pytest.fail("the interrupt was swallowed")


@pytest.mark.parametrize("times", [40, pytest.param(1000, marks=[pytest.mark.torture, pytest.mark.timeout(7200)])])
def test_whenever_it_comes_it_is_raised_and_the_next_answers_are_right(driver: Driver, times: int) -> None:
    db, drawn = Transactions(driver), random.Random(5)
    for start in range(0, times * 1000, 1000):
        with pytest.raises(KeyboardInterrupt):
            interrupted(partial(db.read, numbers, start), drawn.uniform(0.005, 0.03))
        for next_one in range(start + 1, start + 4):
            assert db.read(numbers, next_one) == [next_one + i for i in range(1, ROWS + 1)]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_statement_that_takes_long_is_given_up(driver: Driver) -> None:
    def slow(tx: Tx) -> object:
        return tx.run("UNWIND range(1, 2000000000) AS i RETURN sum(i % 7)").single()

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted(lambda: Transactions(driver).write(slow), 0.5)
    assert time.monotonic() - began < 30


def test_a_handler_of_the_callers_own_is_left_alone(driver: Driver) -> None:
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        os.kill(os.getpid(), signal.SIGINT)
        assert Transactions(driver).read(numbers, 0)[-1] == ROWS
        assert pressed == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)
