"""Derivations whose sources are withdrawn arrive while their event is planned, for the first time or again.

Each is in the plan, or was noted as too late for it; none is forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memorepair_graphdb.errors import PlanChanged, Refused
from memorepair_graphdb.model.event import RepairEvent
from memorepair_graphdb.store import artifacts, barrier, events, publication
from tests.races import worker
from tests.races.arena import Arena, Tally, draft

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import ManagedTransaction

CLIENTS = 3
SOURCES = ["x", "p", "q"]
"""A root, what the first planning published over, and what it left."""


class Round:
    """An event that is fresh, or was closed after one of its artifacts came back and is planned again."""

    def __init__(self, arena: Arena, turn: int) -> None:
        self.arena = arena
        self.overtaken = 0
        self.ground = arena.ground(draft("x"), draft("s"), *(draft(key, sources=["x"]) for key in "pq"))
        self.event = RepairEvent.delete("x")
        arena.write(self._again if turn % 2 else self._fresh)

    def _fresh(self, tx: ManagedTransaction) -> None:
        barrier.withdraw(tx, self.ground.space, self.event, self.ground.tombstone_key)

    def _again(self, tx: ManagedTransaction) -> None:
        space, ids = self.ground.space, self.ground.ids
        claimed = worker.begin(tx, self.ground, self.event, ["p"], "first")
        row = worker.successor(ids["p"], claimed, [ids["s"]])
        publication.stage(tx, space, claimed, [row])
        publication.publish(tx, space, claimed, [worker.reference(row)])
        worker.finish(worker.within(tx), self.ground, claimed)
        events.retry(tx, space, self.event.id, None)

    def plan(self) -> Any:
        """Claim and plan, again whenever something arrived meanwhile; then close."""
        claimed = self.arena.write(events.claim, self.ground.space, self.event.id, "second", "", worker.LEASE)
        while True:
            try:
                worker.plan(self.arena.write, self.ground, claimed, ())
            except PlanChanged:
                self.overtaken += 1
            else:
                break
        worker.finish(self.arena.write, self.ground, claimed)
        return claimed

    def arrive(self, client: int) -> Callable[[], list[Any]]:
        """Keep a derivation of each source."""
        return lambda: [self._keep(f"late/{client}/{source}", source) for source in SOURCES]

    def _keep(self, key: str, source: str) -> Any:
        late = draft(key, sources=[self.ground.ids[source], self.ground.ids["s"]])
        try:
            return self.arena.barrier(artifacts.derive_held, self.ground.space, late, self.ground.tombstone_key)
        except Refused as refused:
            return refused


def test_what_arrives_while_its_event_is_planned_is_accounted_for(arena: Arena, rounds: int) -> None:
    tally = Tally("held against planning")
    overtaken = 0
    for turn in range(rounds):
        race = Round(arena, turn)
        results = arena.race(race.plan, *(race.arrive(client) for client in range(CLIENTS)))[1:]
        kept = [one.key for some in results for one in some if not isinstance(one, Refused)]
        seen, faults = arena.judge(race.ground)
        affected = {seen.nodes[at]["key"] for to in seen.out_of("AFFECTS").values() for at in to}
        faults += [f"{key} was kept, and its event knows nothing of it" for key in set(kept) - affected]
        tally.add([one for some in results for one in some], faults)
        overtaken += race.overtaken
    arena.tell(tally)
    assert tally.faults == []
    assert overtaken > 0  # a plan was refused because something had arrived since it was read
