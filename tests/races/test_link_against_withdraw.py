"""Linking two artifacts races the withdrawal of the source.

An edge is there before the barrier walks, or is refused after it.
"""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb.errors import Refused
from memorepair_graphdb.model.event import RepairEvent
from memorepair_graphdb.store import artifacts, barrier
from memorepair_graphdb.store.errors import raise_if_refused
from tests.races import mutations
from tests.races.arena import TRIES, Arena, Tally, draft

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import ManagedTransaction

    from memorepair_graphdb.store.queries import Query

LINKERS = range(4)
EACH = range(2)


def link_by(statement: Query) -> Callable[..., Any]:
    """What `artifacts.link` does, with another statement."""

    def link(tx: ManagedTransaction, space: str, source: str, target: str, role: str | None, required: Any) -> Any:
        return raise_if_refused(
            statement.one(tx, space=space, source=source, target=target, role=role, required=required)
        )

    return link


def run(arena: Arena, name: str, link: Callable[..., Any], rounds: int, real: bool) -> Tally:
    """Race; a broken form only until it is caught."""
    tally = Tally(name)
    for turn in range(rounds):
        results, faults = _round(arena, turn, link)
        tally.add(results, faults)
        if tally.exposed and not real:
            break
    arena.tell(tally)
    return tally


def _round(arena: Arena, turn: int, link: Callable[..., Any]) -> tuple[list[Any], list[str]]:
    chance = random.Random(turn)
    targets = [f"t{client}{n}" for client in LINKERS for n in EACH]
    ground = arena.ground(
        draft("doc", tool="weather" if turn % 3 == 2 else None),
        draft("note", sources=["doc"]),
        draft("digest", sources=["note"]),
        draft("other"),
        *(draft(key, sources=["other"]) for key in targets),
    )
    linked = threading.Semaphore(0)
    wait = chance.choice([0, 0, 1, 2, 3])
    contract = {"name": "weather", "description": "new", "inputSchema": {"type": "object"}}
    event = [RepairEvent.delete("doc"), RepairEvent.correct({"doc": "new"}), RepairEvent.migrate({"doc": contract})]

    def withdraw() -> Any:
        for _ in range(wait):
            assert linked.acquire(timeout=60)
        return arena.barrier(barrier.withdraw, ground.space, event[turn % 3], ground.tombstone_key)

    def one(client: int, n: int) -> Any:
        target, source = f"t{client}{n}", ground.ids[chance.choice(["doc", "note", "digest"])]
        try:
            return arena.barrier(link, ground.space, source, ground.ids[target] if n else target, "seen", None)
        except Refused as refused:
            return refused
        finally:
            linked.release()

    clients = [lambda client=client: [one(client, n) for n in EACH] for client in LINKERS]
    _, *linked_by = arena.race(withdraw, *clients)
    return [result for some in linked_by for result in some], arena.judge(ground)[1]


def test_nothing_linked_to_a_withdrawn_source_is_served(arena: Arena, rounds: int) -> None:
    run(arena, "link against withdraw", artifacts.link, rounds, real=True).sound(rounds)


def test_the_race_catches_a_link_that_is_ungated(arena: Arena, request: pytest.FixtureRequest) -> None:
    statement = mutations.ungated("artifact/link")
    tally = run(arena, f"mutant {request.node.name}", link_by(statement), TRIES, real=False)
    assert any("EXPOSED" in fault for fault in tally.faults)
