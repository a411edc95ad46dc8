"""A process is killed after each transaction of a repair, and the event resumed: as if nothing had happened.

The worker dies by SIGKILL, the resumer has a connection of its own, and does not wait for a lease.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.harness import crashing, dump
from tests.races import oracle

if TYPE_CHECKING:
    from neo4j import Driver

_log = logging.getLogger(__name__)

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.harness.crashing"])

OUTCOMES = {
    "doc": "replaced",
    "a": "published",
    "b": "published",
    "c": "published",
    "d": "published",
    "fails": "operator_failed",
    "misses": "predecessor_missing",
    "misses more": "predecessor_missing",
    "dear": "not_selected",
    "worthless alone": "not_selected",
    "unknown": "not_executable",
    "record": "removed",
    "past the record": "not_executable",
}


def end_state(driver: Driver, space: str) -> dict[str, Any]:
    """All that an event left behind, without ids and times; drafts that were dropped are no part of it."""
    relations = Counter(
        tuple(relation.values())
        for relation in dump.relations(driver, space)
        if relation["source"] is not None and relation["target"] is not None
    )
    versions = {
        (one["key"], one["version"]): (one["states"], one["content"], one["operator"], one["held_by"], one["embedded"])
        for one in dump.artifacts(driver, space)
        if one["version"] is not None
    }
    effects = {
        (one["key"], one["version"]): (one["outcome"], one["mode"], one["selected"], one["reason"])
        for one in dump.effects(driver, space)
    }
    return {"versions": versions, "relations": relations, "effects": effects}


def faults(driver: Driver, space: str) -> list[str]:
    """What another's oracle finds wrong with a space."""
    with driver.session() as session:
        return oracle.faults(session.execute_read(oracle.world, space))


class Disturbed:
    """Spaces of their own, each with the same memory in it, in which processes die."""

    def __init__(self, memory, server, driver: Driver, space: str, dimensions: int, what: str, batch: int) -> None:
        self.memory, self.server, self.driver, self.space, self.what = memory, server, driver, space, what
        self.dimensions = crashing.DIMENSIONS = dimensions
        self.batch = batch

    def opened(self, beside: str):
        return self.memory(beside, registry=crashing.registry, embedder=crashing.embedder)

    def prepared(self, beside: str):
        """A memory before what is to be disturbed."""
        mr = self.opened(beside)
        crashing.laid_down(mr)
        if self.what == "retry":
            mr.repair(crashing.EVENT, tradeoff=crashing.TRADEOFF)
        return mr

    def killed(self, beside: str, after: int) -> bool:
        """Whether the process died after so many commits; else it came to its end."""
        arguments = (self.server.uri, (self.server.username, self.server.password))
        what = (self.space + beside, self.what, after, self.dimensions, self.batch)
        child = PROCESSES.Process(target=crashing.die_in, args=(*arguments, *what))
        child.start()
        child.join(300)
        assert child.exitcode in (0, -signal.SIGKILL)
        return child.exitcode != 0


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("batch", "stride"),
    [(1000, 2), pytest.param(1000, 1, marks=pytest.mark.torture), pytest.param(2, 1, marks=pytest.mark.torture)],
)
@pytest.mark.parametrize("what", crashing.RUNS)
def test_whenever_a_worker_dies_a_resume_ends_as_if_it_had_not(
    memory, server, prepared: Driver, space: str, dimensions: int, what: str, batch: int, stride: int
):
    """After each commit, or after every other one: the even ones of a repair, the odd ones of a retry."""
    disturbed = Disturbed(memory, server, prepared, space, dimensions, what, batch)
    report = crashing.run(disturbed.prepared("_undisturbed"), what)
    if what == "repair":
        assert {key: str(outcome) for key, outcome in report.outcomes.items()} == OUTCOMES
    expected = end_state(prepared, f"{space}_undisturbed")
    assert expected["versions"]["doc", 2][4] is True
    statuses, after = [], 1 - stride if what == "retry" else 0
    while True:
        after += stride
        beside = f"_{after}"
        mr = disturbed.prepared(beside)
        died = disturbed.killed(beside, after)
        assert mr.check().violations == ()
        assert faults(prepared, mr.space) == []
        statuses.append(mr.status(crashing.EVENT.id).status.value)
        began = time.monotonic()
        assert mr.resume(crashing.EVENT.id).status == "closed"
        assert time.monotonic() - began < 45, "the lease of a dead worker was waited for"
        assert end_state(prepared, mr.space) == expected, f"killed after commit {after}"
        assert faults(prepared, mr.space) == []
        states = Counter(state for one in dump.artifacts(prepared, mr.space) for state in one["states"])
        assert states["Staged"] == 0
        if not died:
            break
    assert set(statuses) == {"withdrawn", "planned", "repairing", "closed"}
    assert after >= 8
    _log.info("%s in batches of %d: killed after each of %d commits", what, batch, after - 1)


def test_dropped_drafts_hold_nothing(memory, server, prepared: Driver, space: str, dimensions: int):
    disturbed = Disturbed(memory, server, prepared, space, dimensions, "repair", 1000)
    drafts = 0
    for after in range(5, 12):
        mr = disturbed.prepared(f"_{after}")
        disturbed.killed(f"_{after}", after)
        if any("Staged" in one["states"] for one in dump.artifacts(prepared, mr.space)):
            mr.resume(crashing.EVENT.id)
            dropped = [one for one in dump.artifacts(prepared, mr.space) if one["version"] is None]
            assert dropped
            assert {(tuple(one["states"]), one["content"], one["embedded"]) for one in dropped} == {
                (("Retired",), None, False)
            }
            drafts += len(dropped)
            break
    assert drafts > 0
