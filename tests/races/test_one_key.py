"""One key is recorded, derived, corrected and published at once, on whatever stripes.

However it ends, the key has one live version, and its history is one chain.
"""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any

from memorepair_graphdb.errors import Refused
from memorepair_graphdb.model.event import RepairEvent
from memorepair_graphdb.store import artifacts, barrier, events, publication
from tests.races import worker
from tests.races.arena import Arena, Ground, Tally, draft

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import ManagedTransaction

KEYS = ["fresh", "left", "open"]
"""A key that never was, one that a closed event left withdrawn, one whose successor is staged."""


class Round:
    """Three keys in three conditions, and clients who each go through them in an order of their own."""

    def __init__(self, arena: Arena, turn: int) -> None:
        self.arena, self.turn = arena, turn
        self.ground = arena.ground(
            *(draft(key) for key in ("s", "gone", "lost")),
            *(draft(key, sources=[of]) for key, of in (("left", "gone"), ("open", "lost"))),
        )
        self.closed = RepairEvent.delete("gone")
        arena.write(self._prepare)

    def _prepare(self, tx: ManagedTransaction) -> None:
        ground = self.ground
        claimed = worker.begin(tx, ground, self.closed, [], "first")
        worker.finish(worker.within(tx), ground, claimed)
        self.claimed = worker.begin(tx, ground, RepairEvent.delete("lost"), ["open"], "second")
        row = worker.successor(ground.ids["open"], self.claimed, [ground.ids["s"]])
        publication.stage(tx, ground.space, self.claimed, [row])
        self.row = worker.reference(row)

    def clients(self) -> list[Callable[[], list[Any]]]:
        record = self._over_keys(lambda key: self._put(artifacts.record, draft(key, f"{key} recorded")))
        source = self.ground.ids["s"]
        derive = [
            self._over_keys(lambda key: self._put(artifacts.derive, draft(key, f"{key} derived", [source])))
            for _ in range(2)
        ]
        return [*derive, record, self._over_keys(self._correct), self._publish_and_retry, *map(self._contract, "ab")]

    def _over_keys(self, act: Callable[[str], Any]) -> Callable[[], list[Any]]:
        keys = random.sample(KEYS, len(KEYS))
        return lambda: [self._result(partial(act, key)) for key in keys]

    def _result(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Refused as refused:
            return refused

    def _put(self, put: Callable[..., Any], one: Any) -> Any:
        return self.arena.write(put, self.ground.space, one, self.ground.tombstone_key)

    def _contract(self, key: str) -> Callable[[], list[Any]]:
        """Two keys want to hold the contract of one tool."""
        return lambda: [self._result(lambda: self._put(artifacts.record, draft(key, tool="weather")))]

    def _correct(self, key: str) -> Any:
        event = RepairEvent.correct({key: f"{key} corrected"})
        return self.arena.barrier(barrier.withdraw, self.ground.space, event, self.ground.tombstone_key)

    def _publish_and_retry(self) -> list[Any]:
        space = self.ground.space
        calls = [
            lambda: self.arena.write(publication.publish, space, self.claimed, [self.row]),
            lambda: self.arena.write(events.retry, space, self.closed.id, None),
        ]
        random.shuffle(calls)
        return [self._result(call) for call in calls]


def _faults(arena: Arena, ground: Ground) -> list[str]:
    seen, faults = arena.judge(ground)
    for key in KEYS:
        live = [node for node in seen.of_key(key) if node.states & {"Visible", "Withdrawn"}]
        if len(live) != 1:
            faults.append(f"{len(live)} live versions of {key}")
        numbers = sorted(node["version"] for node in seen.of_key(key) if node["version"] is not None)
        if numbers != list(range(1, len(numbers) + 1)):
            faults.append(f"the versions of {key} are {numbers}")
    contracts = [node["key"] for node in seen.artifacts.values() if node["tool"]]
    return faults if len(contracts) == 1 else [*faults, f"contracts of one tool: {contracts}"]


def test_a_key_written_on_several_stripes_at_once_has_one_live_version(arena: Arena, rounds: int) -> None:
    tally = Tally("one key")
    for turn in range(rounds):
        race = Round(arena, turn)
        results = arena.race(*race.clients())
        made = {(one.key, one.id) for some in results[:2] for one in some if not isinstance(one, Refused)}
        faults = [] if len(made) == len(dict(made)) else [f"the same derivation, sent twice, was made twice: {made}"]
        tally.add([one for some in results for one in some], faults + _faults(arena, race.ground))
    arena.tell(tally)
    tally.sound(rounds)
