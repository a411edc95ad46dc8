"""A writer holds a stripe for longer than the server lets anyone wait for a lock.

A lock timeout is the library's to wait out, and never reaches the user.
"""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb.model.event import RepairEvent
from memorepair_graphdb.store import artifacts, barrier
from tests.races.arena import Arena, draft

if TYPE_CHECKING:
    from neo4j import Driver

HELD = 35.0
"""Seconds; `db.lock.acquisition.timeout` of our servers is 30."""

_HOLD = "MATCH (g:Gate {space: $space}) SET g.lock = true REMOVE g.lock RETURN count(g) AS held"


@pytest.mark.torture
def test_a_barrier_and_a_derivation_outlast_a_lock_timeout(arena: Arena, driver: Driver) -> None:
    ground = arena.ground(draft("doc"), draft("other"))
    holding = threading.Event()

    def hold() -> None:
        with driver.session() as session, session.begin_transaction() as tx:
            assert tx.run(_HOLD, space=ground.space).single(strict=True)["held"] == 16
            holding.set()
            threading.Event().wait(HELD)
            tx.commit()

    def withdraw() -> barrier.Withdrawal:
        assert holding.wait(60)
        return arena.barrier(barrier.withdraw, ground.space, RepairEvent.delete("doc"), ground.tombstone_key)

    def derive() -> str:
        assert holding.wait(60)
        made = draft("note", sources=[ground.ids["other"]])
        return arena.write(artifacts.derive, ground.space, made, ground.tombstone_key).key

    began, tries = monotonic(), arena.tries
    _, withdrawn, derived = arena.race(hold, withdraw, derive)
    assert monotonic() - began > HELD
    assert arena.tries - tries > 2  # the server gave up at least once, and we did not
    assert (withdrawn.affected, derived) == (1, "note")
    assert arena.judge(ground)[1] == []
