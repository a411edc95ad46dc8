"""One write at a time runs behind what its caller does; nothing of it is lost."""

from __future__ import annotations

import threading
from contextvars import ContextVar

import pytest

from memorepair_graphdb.repair.execution.write_behind import WriteBehind

WHOSE = ContextVar("WHOSE", default="nobody's")


def test_a_write_goes_on_while_its_caller_does_something_else():
    met = threading.Barrier(2, timeout=10)
    with WriteBehind[int]() as behind:
        behind.start(met.wait)
        met.wait()
        assert behind.collect() in (0, 1)


def test_with_no_write_under_way_there_is_nothing_to_collect():
    with WriteBehind[int]() as behind:
        assert behind.collect() is None
        behind.start(lambda: 7)
        assert (behind.collect(), behind.collect()) == (7, None)


def test_a_write_that_fails_fails_where_it_is_collected():
    with WriteBehind[int]() as behind:
        behind.start(int, "no number")
        with pytest.raises(ValueError, match="no number"):
            behind.collect()
        assert behind.collect() is None


def test_a_write_sees_the_variables_of_its_caller():
    WHOSE.set("mine")
    with WriteBehind[str]() as behind:
        behind.start(WHOSE.get)
        assert behind.collect() == "mine"


def test_leaving_waits_for_the_write_under_way_whatever_the_cause():
    written, go = [], threading.Event()

    def write() -> None:
        go.wait(10)
        written.append("all")

    def be_interrupted() -> None:
        with WriteBehind[None]() as behind:
            behind.start(write)
            threading.Timer(0.05, go.set).start()
            raise RuntimeError("interrupted")

    with pytest.raises(RuntimeError, match="interrupted"):
        be_interrupted()
    assert written == ["all"]
