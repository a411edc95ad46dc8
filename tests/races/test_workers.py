"""Workers race for one event, and the one who lost it goes on writing.

From the moment a claim is granted, no older attempt gets another write through.
"""

from __future__ import annotations

import random
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb.errors import Refused
from memorepair_graphdb.model.event import RepairEvent
from memorepair_graphdb.store import events, plans, publication
from memorepair_graphdb.store.errors import raise_if_refused
from tests.races import mutations, worker
from tests.races.arena import TRIES, Arena, Tally, draft

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import ManagedTransaction

    from memorepair_graphdb.store.events import Claim
    from memorepair_graphdb.store.queries import Query

WORKERS = range(4)
BATCHES = range(3)
WIDTH = range(2)
KEYS = [f"a{batch}{n}" for batch in BATCHES for n in WIDTH]


def claim_by(statement: Query) -> Callable[..., Any]:
    """What `events.claim` does, with another statement."""

    def claim(tx: ManagedTransaction, space: str, event_id: str, owner: str, dead_owner: str, seconds: int) -> Any:
        row = statement.one(
            tx, space=space, event_id=event_id, owner=owner, dead_owner=dead_owner, lease_seconds=seconds
        )
        return events.Claim(event_id, raise_if_refused(row)["attempt"], row["event_status"])

    return claim


class Round:
    """A planned event that nobody works on."""

    def __init__(self, arena: Arena, turn: int) -> None:
        self.arena, self.chance = arena, random.Random(turn)
        self.ground = arena.ground(draft("x"), draft("s"), *(draft(key, sources=["x", "s"]) for key in KEYS))
        self.event = [RepairEvent.delete("x"), RepairEvent.correct({"x": "y"})][turn % 2]
        self.ids = self.ground.ids

        def prepare(tx: ManagedTransaction) -> None:
            planner = worker.begin(tx, self.ground, self.event, KEYS, "planner")
            events.renew(tx, self.ground.space, planner, 0)

        arena.write(prepare)

    def claim(self, owner: str, dead: str = "", claim: Callable[..., Claim] = events.claim) -> Claim:
        return self.arena.write(claim, self.ground.space, self.event.id, owner, dead, worker.LEASE)

    def stage(self, claimed: Claim, keys: list[str]) -> list[dict[str, Any]]:
        """Lay drafts down; the rows to publish them with."""
        rows = [worker.successor(self.ids[key], claimed, [self.ids["s"]]) for key in keys]
        self.arena.write(publication.stage, self.ground.space, claimed, rows)
        return [worker.reference(row) for row in rows]

    def pending(self, event_id: str) -> list[str]:
        left = self.arena.read(plans.stored, self.ground.space, event_id)
        return [candidate.key for candidate in left.selected]


def takeover(arena: Arena, turn: int, publish: Callable[..., None]) -> tuple[list[Any], list[str]]:
    """Several ask for the event; the one who gets it is declared dead while it works, and another goes on."""
    race = Round(arena, turn)
    claims = arena.race(*(lambda n=n: race.claim(f"worker {n}") for n in WORKERS))
    (winner,) = [n for n, claim in enumerate(claims) if not isinstance(claim, Refused)]
    begun = [threading.Event() for _ in BATCHES]

    def attempt(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Refused as refused:
            return refused

    def presumed_dead() -> list[Any]:
        results = []
        for batch in BATCHES:
            rows = attempt(partial(race.stage, claims[winner], [f"a{batch}{n}" for n in WIDTH]))
            begun[batch].set()
            if not isinstance(rows, Refused):
                rows = attempt(partial(arena.write, publish, race.ground.space, claims[winner], rows))
            results.append(rows)
        return results

    def successor() -> tuple[Claim, list[str], list[str]]:
        assert begun[race.chance.choice(BATCHES)].wait(timeout=60)
        claimed = race.claim("next", dead=f"worker {winner}")
        pending = race.pending(race.event.id)
        refusals = [attempt(lambda: write_all(claimed, pending))] if pending else []
        worker.finish(arena.write, race.ground, claimed)
        return claimed, pending, [f"the holder of the claim was refused: {one}" for one in refusals if one is not None]

    def write_all(claimed: Claim, pending: list[str]) -> None:
        arena.write(publish, race.ground.space, claimed, race.stage(claimed, pending))

    written, (claimed, pending, refusals) = arena.race(presumed_dead, successor)
    seen, faults = arena.judge(race.ground)
    faults += refusals
    for key in KEYS:
        served = [node["id"] for node in seen.of_key(key) if "Visible" in node.labels]
        if len(served) != 1 or (key in pending) != served[0].endswith(f"_{claimed.attempt}"):
            faults.append(f"{key} was {'' if key in pending else 'not '}left to {claimed.attempt}: served {served}")
    return [*claims, *written], faults


def run(arena: Arena, name: str, one: Callable[[int], tuple[list[Any], list[str]]], rounds: int, real: bool) -> Tally:
    """Race; a broken form only until it is caught."""
    tally = Tally(name)
    for turn in range(rounds):
        tally.add(*one(turn))
        if tally.exposed and not real:
            break
    arena.tell(tally)
    return tally


def claims(arena: Arena, turn: int, claim: Callable[..., Any]) -> tuple[list[Any], list[str]]:
    """All ask at once, some of them taking another for dead."""
    race = Round(arena, turn)
    results = arena.race(*(lambda n=n: race.claim(f"worker {n}", claim=claim) for n in WORKERS))
    granted = [claim for claim in results if not isinstance(claim, Refused)]
    return results, [] if len(granted) == 1 else [f"{len(granted)} workers have the event: {granted}"]


def publications(arena: Arena, turn: int, publish: Callable[..., None]) -> tuple[list[Any], list[str]]:
    """One attempt sends the same publication twice at once, as after a broken connection."""
    race = Round(arena, turn)
    claimed = race.claim("worker")
    rows = race.stage(claimed, KEYS[:4])
    results = arena.race(*(lambda: arena.write(publish, race.ground.space, claimed, rows) for _ in range(2)))
    done = sum(not isinstance(result, Refused) for result in results)
    return results, arena.judge(race.ground)[1] + ([] if done == 1 else [f"{done} calls published the same drafts"])


def test_an_event_has_one_worker_and_the_one_before_writes_no_more(arena: Arena, rounds: int) -> None:
    race = partial(takeover, arena, publish=publication.publish)
    run(arena, "two workers of one event", race, rounds, real=True).sound(rounds)


def test_the_same_publication_sent_twice_happens_once(arena: Arena, rounds: int) -> None:
    race = partial(publications, arena, publish=publication.publish)
    run(arena, "one publication twice", race, rounds, real=True).sound(rounds)


def test_the_race_catches_a_claim_that_compares_without_locking_the_event(
    arena: Arena, request: pytest.FixtureRequest
) -> None:
    broken = claim_by(mutations.without_the_events_lock("repair/claim"))
    name = f"mutant {request.node.name}"
    assert run(arena, name, partial(claims, arena, claim=broken), TRIES, real=False).exposed


@pytest.mark.parametrize("race", [takeover, publications])
def test_the_race_catches_a_publication_that_compares_without_locking_the_event(
    arena: Arena, request: pytest.FixtureRequest, race: Callable[..., tuple[list[Any], list[str]]]
) -> None:
    broken = worker.publish_by(mutations.without_the_events_lock("publish/publish"))
    name = f"mutant {request.node.name}"
    assert run(arena, name, partial(race, arena, publish=broken), TRIES, real=False).exposed
