"""Two workers on one event: one works, the other leaves.

Both start at once, each with a driver of its own; every operator runs once.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from neo4j import GraphDatabase

from memorepair_graphdb import Context, MemoRepair, Registry, RepairEvent
from memorepair_graphdb.errors import EventConflict, NotFound
from memorepair_graphdb.store import events
from memorepair_graphdb.store.transactions import Transactions
from tests.harness import crashing, dump

if TYPE_CHECKING:
    from neo4j import Driver

TORTURE = [pytest.mark.torture, pytest.mark.timeout(7200)]


class Counted:
    """Operators that say who ran them, and take a while."""

    def __init__(self, seconds: float) -> None:
        self.runs: Counter[str] = Counter()
        self.registry = Registry()
        self.registry.operator("write@1", mode="regen", support="available")(self.write)
        self._seconds = seconds

    def write(self, context: Context) -> str:
        self.runs[context.key] += 1
        time.sleep(self._seconds)
        return f"new {context.key}"


def laid_down(mr: MemoRepair) -> None:
    mr.record("doc", key="doc")
    mr.record("kept", key="kept")
    for key, source in (("a", "doc"), ("b", "a"), ("c", "b")):
        mr.derive(f"old {key}", key=key, kind="summary", influenced_by=[source, "kept"], operator="write@1")


def at_once(first: MemoRepair, second: MemoRepair, event_id: str) -> list:
    """Both resume the event at the same moment; their reports."""
    start = threading.Barrier(2)

    def work(mr: MemoRepair):
        start.wait(timeout=60)
        return mr.resume(event_id)

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, (first, second)))


@pytest.mark.parametrize("turns", [8, pytest.param(100, marks=TORTURE)])
def test_of_two_workers_one_works_and_the_other_leaves(memory, server, prepared: Driver, space: str, turns: int):
    left = 0
    with GraphDatabase.driver(server.uri, auth=(server.username, server.password)) as other:
        for turn in range(turns):
            counted = Counted(seconds=0.02 if turn % 2 else 0.0)
            mr = memory(f"_{turn}", registry=counted.registry)
            laid_down(mr)
            event = RepairEvent.delete(["doc"])
            mr.withdraw(event)
            reports = at_once(mr, MemoRepair(other, space=mr.space, registry=counted.registry), event.id)
            assert counted.runs == {"a": 1, "b": 1, "c": 1}
            stayed = [report for report in reports if not any("left to another" in note for note in report.notes)]
            left += 2 - len(stayed)
            assert [report.status for report in stayed] in (["closed"], ["closed", "closed"])
            assert mr.status(event.id).counts == {"published": 3, "removed": 1}
            versions = Counter(one["key"] for one in dump.artifacts(prepared, mr.space) if "Visible" in one["states"])
            assert versions == {"a": 1, "b": 1, "c": 1, "kept": 1}
            assert len(dump.artifacts(prepared, mr.space)) == 8
    assert left >= turns // 2


@pytest.mark.parametrize("turns", [2, pytest.param(25, marks=TORTURE)])
def test_of_two_processes_one_works_and_the_other_leaves(memory, server, dimensions: int, turns: int):
    """The same with owners that differ, and that are looked up by their process numbers."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.harness.crashing"])
    crashing.DIMENSIONS = dimensions
    for turn in range(turns):
        mr = memory(f"_{turn}", registry=crashing.registry, without_embeddings=True)
        crashing.laid_down(mr)
        mr.withdraw(crashing.EVENT)
        start, said = processes.Barrier(2), processes.Queue()
        where = (server.uri, (server.username, server.password), mr.space)
        workers = [processes.Process(target=crashing.resume_in, args=(*where, start, said)) for _ in range(2)]
        for worker in workers:
            worker.start()
        told = [said.get(timeout=120) for _ in workers]
        for worker in workers:
            worker.join(60)
        stayed = [status for status, left in told if not left]
        assert stayed in (["closed"], ["closed", "closed"])
        report = mr.status(crashing.EVENT.id)
        assert report.counts["published"] == 4
        assert report.spent == 5, "each of a, b, c, d and fails was run once, for one token"


def test_a_worker_that_comes_while_another_works_is_told_who_has_it(memory, server):
    counted = Counted(seconds=0.0)
    mr = memory(registry=counted.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    reports = []

    def write(context: Context) -> str:
        if context.key == "a":
            reports.append(mr.resume(event.id))
        return "new"

    registry = Registry()
    registry.operator("write@1", mode="regen", support="available")(write)
    done = memory(registry=registry).repair(event)
    assert done.counts == {"published": 3, "removed": 1}
    assert reports[0].status == "planned"
    assert reports[0].outcomes == {"doc": "removed", "a": "pending", "b": "pending", "c": "pending"}
    assert any("is worked on by" in note and "left to another worker" in note for note in reports[0].notes)
    assert counted.runs == {}


def test_a_worker_whose_lease_ran_out_publishes_nothing_more(memory, prepared: Driver, space: str):
    """The first is held up past its lease; the second takes over; the first comes to, and is fenced off."""
    registry, second = Registry(), Counted(seconds=0.0)
    mr = memory(registry=registry)
    rival = memory(registry=second.registry)
    event = RepairEvent.delete(["doc"])
    taken = []

    def write(context: Context) -> str:
        if context.key == "a":
            with prepared.session() as session:
                session.run(
                    "MATCH (e:RepairEvent {space: $space}) SET e.lease_until = 0, e.lease_owner = 'elsewhere:1'",
                    space=space,
                ).consume()
            taken.append(rival.resume(event.id))
        return f"too late for {context.key}"

    registry.operator("write@1", mode="regen", support="available")(write)
    laid_down(mr)
    late = mr.repair(event)
    assert taken[0].counts == {"published": 3, "removed": 1}
    assert [mr.get(key).content for key in "abc"] == ["new a", "new b", "new c"]
    assert any("left to another worker" in note for note in late.notes)
    assert late.status == "closed"
    assert [one["states"] for one in dump.artifacts(prepared, space) if one["content"] == "too late for a"] == []


def test_a_worker_that_comes_just_after_the_event_was_closed_finds_it_done(memory, prepared: Driver):
    counted = Counted(seconds=0.0)
    mr = memory(registry=counted.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    mr.withdraw(event)

    class Late(Transactions):
        def write(self, work, *args, **kwargs):
            if work is events.claim:
                mr.resume(event.id)
            return super().write(work, *args, **kwargs)

    late = memory(registry=counted.registry)
    late.transactions = Late(prepared)
    report = late.resume(event.id)
    assert (report.status, report.counts) == ("closed", {"published": 3, "removed": 1})
    assert counted.runs == {"a": 1, "b": 1, "c": 1}


def test_a_closed_event_is_not_resumed_again_and_an_unknown_one_is_refused(memory):
    counted = Counted(seconds=0.0)
    mr = memory(registry=counted.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    first = mr.repair(event)
    again = mr.resume(event.id)
    assert (again.status, again.outcomes, again.spent) == ("closed", first.outcomes, first.spent)
    assert counted.runs == {"a": 1, "b": 1, "c": 1}
    repeated = mr.repair(event)
    assert repeated.outcomes == first.outcomes
    assert counted.runs == {"a": 1, "b": 1, "c": 1}
    with pytest.raises(NotFound, match="no event nobody"):
        mr.resume("nobody")
    with pytest.raises(NotFound, match="no event nobody"):
        mr.retry("nobody")
    opened = mr.withdraw(RepairEvent.delete(["kept"]))
    with pytest.raises(EventConflict, match="not closed: resume it"):
        mr.retry(opened.event_id)
