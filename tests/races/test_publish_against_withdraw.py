"""Staging and publishing race a later barrier over the supports, or over what is being succeeded.

A call goes through whole before the barrier, or is refused whole after it.
"""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb.errors import Refused
from memorepair_graphdb.model.event import RepairEvent
from memorepair_graphdb.store import barrier, publication
from tests.races import mutations, worker
from tests.races.arena import TRIES, Arena, Tally, draft

if TYPE_CHECKING:
    from collections.abc import Callable

    from memorepair_graphdb.store.queries import Query

PAIRS = range(2)
ROUNDS = 40
"""In the short suite: without its gate a publication was caught in the twelfth round."""


class Round:
    """An event whose successors come in pairs, b resting on a, and a later event that takes from under them."""

    def __init__(self, arena: Arena, turn: int, publish: Callable[..., None]) -> None:
        self.arena, self.turn, self.publish, self.chance = arena, turn, publish, random.Random(turn)
        self.ground = arena.ground(
            draft("x"),
            *(draft(f"{name}{n}", tool=f"{name}{n}" if turn % 3 == 2 else None) for n in PAIRS for name in "sy"),
            *(draft(f"a{n}", sources=["x", f"y{n}"]) for n in PAIRS),
            *(draft(f"b{n}", sources=["x"]) for n in PAIRS),
        )
        keys = [f"{name}{n}" for n in PAIRS for name in "ab"]
        self.claimed = arena.write(worker.begin, self.ground, RepairEvent.delete("x"), keys, "first")
        ids = self.ground.ids
        first = [worker.successor(ids[f"a{n}"], self.claimed, [ids[f"s{n}"]]) for n in PAIRS]
        second = [worker.successor(ids[f"b{n}"], self.claimed, [first[n]["id"]]) for n in PAIRS]
        self.pairs = list(zip(first, second, strict=True))
        self.written = threading.Semaphore(0)

    def repair(self) -> list[Any]:
        """Stage every pair, one after the other, and then publish every pair; what became of each."""
        staged = [self._refusal(self._stage, pair) for pair in self.pairs]
        calls = zip(self.pairs, staged, strict=True)
        return [refusal or self._refusal(self._publish, pair) or "published" for pair, refusal in calls]

    def _stage(self, pair: tuple[dict[str, Any], ...]) -> None:
        for row in pair:
            self.arena.write(publication.stage, self.ground.space, self.claimed, [row])

    def _publish(self, pair: tuple[dict[str, Any], ...]) -> None:
        rows = [worker.reference(row) for row in pair]
        self.arena.write(self.publish, self.ground.space, self.claimed, rows)

    def _refusal(self, call: Callable[..., None], pair: tuple[dict[str, Any], ...]) -> Refused | None:
        try:
            call(pair)
        except Refused as refused:
            return refused
        finally:
            self.written.release()
        return None

    def withdraw(self) -> barrier.Withdrawal:
        """Take the supports, or what only the first of each pair came from, among the worker's calls."""
        for _ in range(self.chance.choice([0, 1, 2, 2, 3])):
            assert self.written.acquire(timeout=60)
        names = [f"{'ys'[self.turn % 2]}{n}" for n in PAIRS]
        return self.arena.barrier(barrier.withdraw, self.ground.space, self._event(names), self.ground.tombstone_key)

    def _event(self, names: list[str]) -> RepairEvent:
        if self.turn % 3 == 0:
            return RepairEvent.delete([self.ground.ids[name] for name in names])
        if self.turn % 3 == 1:
            return RepairEvent.correct(dict.fromkeys(names, "corrected"))
        contract = {"description": "migrated", "inputSchema": {"type": "object"}}
        return RepairEvent.migrate({name: {"name": name, **contract} for name in names})


def run(arena: Arena, name: str, publish: Callable[..., None], rounds: int, real: bool) -> Tally:
    """Race; a broken form only until it is caught."""
    tally = Tally(name)
    for turn in range(rounds):
        race = Round(arena, turn, publish)
        pairs, _ = arena.race(race.repair, race.withdraw)
        _, faults = arena.judge(race.ground)
        if real:
            worker.finish(arena.write, race.ground, race.claimed)
            seen, after = arena.judge(race.ground)
            faults += after + [f"still staged: {node}" for node in seen.in_state("Staged")]
        tally.add(pairs, faults)
        if tally.exposed and not real:
            break
    arena.tell(tally)
    return tally


def test_no_successor_is_served_over_what_a_later_barrier_took(arena: Arena, rounds: int) -> None:
    run(arena, "stage and publish against withdraw", publication.publish, rounds, real=True).sound(rounds)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(mutations.partly_published, id="in part"),
        pytest.param(lambda: mutations.ungated("publish/publish"), id="ungated"),
    ],
)
def test_the_race_catches_a_publication_that_is(
    arena: Arena, request: pytest.FixtureRequest, broken: Callable[[], Query]
) -> None:
    tally = run(arena, f"mutant {request.node.name}", worker.publish_by(broken()), TRIES, real=False)
    assert tally.exposed
