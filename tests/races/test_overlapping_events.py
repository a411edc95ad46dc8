"""Events with a common part are opened at once, and each is worked through at once.

What two events reach belongs to the later one, and comes back into service exactly once.
"""

from __future__ import annotations

import random
import threading
from functools import partial
from typing import TYPE_CHECKING

from memorepair_graphdb.errors import Refused
from memorepair_graphdb.model.event import RepairEvent
from memorepair_graphdb.store import barrier, events, publication
from tests.races import worker
from tests.races.arena import Arena, Ground, Tally, draft

if TYPE_CHECKING:
    from collections.abc import Callable

EVENTS = 3
NOTES = [f"n{n}" for n in range(4)]


def _ground(arena: Arena, chance: random.Random) -> Ground:
    """Notes of one to three of the roots, and of each other."""
    drafts = [draft("s"), draft("doc0"), draft("doc1"), draft("doc2", tool="weather")]
    for place, key in enumerate(NOTES):
        roots = chance.sample(["doc0", "doc1", "doc2"], chance.randint(1, 3))
        drafts.append(draft(key, sources=[*roots, *chance.sample(NOTES[:place], min(place, 1))]))
    return arena.ground(*drafts)


def _event(n: int, turn: int) -> RepairEvent:
    contract = {"name": "weather", "description": "new", "inputSchema": {"type": "object"}}
    if n == 2:
        return RepairEvent.migrate({"doc2": contract if turn % 2 else None})
    return RepairEvent.delete(f"doc{n}") if (n + turn) % 2 else RepairEvent.correct({f"doc{n}": "corrected"})


def repair(
    arena: Arena, ground: Ground, event: RepairEvent, begin: Callable[[], None], step: Callable[[], None]
) -> list[bool]:
    """Withdraw and work through one event; of each artifact that it planned to rebuild, whether it did."""
    begin()
    arena.barrier(barrier.withdraw, ground.space, event, ground.tombstone_key)
    step()
    claimed = arena.write(events.claim, ground.space, event.id, event.id, "", worker.LEASE)
    chosen = worker.plan(arena.write, ground, claimed, None)
    rows = [worker.successor(id_, claimed, [ground.ids["s"]]) for id_ in chosen.values()]
    step()
    staged = worker.without_offenders(arena, publication.stage, ground, claimed, rows)
    step()
    references = [worker.reference(row) for row in staged]
    published = worker.without_offenders(arena, publication.publish, ground, claimed, references)
    step()
    worker.finish(arena.write, ground, claimed)
    return [row["old"] in {one["old"] for one in published} for row in rows]


def _race(arena: Arena, turn: int) -> tuple[list[bool], list[str]]:
    """Each event begins while the one before is somewhere on its way."""
    chance = random.Random(turn)
    ground = _ground(arena, chance)
    steps = [threading.Semaphore(0) for _ in range(EVENTS + 1)]

    def begin(n: int, after: int) -> None:
        for _ in range(after if n else 0):
            assert steps[n].acquire(timeout=120)

    clients = [
        partial(repair, arena, ground, _event(n, turn), partial(begin, n, chance.randrange(5)), steps[n + 1].release)
        for n in range(EVENTS)
    ]
    results = arena.race(*clients)
    seen, faults = arena.judge(ground)
    faults += [f"not closed: {event.properties}" for event in seen.events.values() if event["status"] != "closed"]
    for key in NOTES:
        served = [node for node in seen.of_key(key) if "Visible" in node.labels]
        faults += [] if len(served) == 1 else [f"{key} is served {len(served)} times: {seen.of_key(key)}"]
    return [one for some in results for one in some], faults


def test_what_two_events_reach_comes_back_once_and_by_the_later_one(arena: Arena, rounds: int) -> None:
    tally = Tally("overlapping events")
    for turn in range(rounds):
        rebuilt, faults = _race(arena, turn)
        tally.add([], faults)
        tally.accepted += sum(rebuilt)
        tally.refused += len(rebuilt) - sum(rebuilt)
    arena.tell(tally)
    assert tally.faults == []
    assert tally.refused > 0  # a barrier fell between the planning and the publishing of another event


def test_an_event_sent_by_several_at_once_is_opened_once(arena: Arena, rounds: int) -> None:
    tally = Tally("one event sent at once")
    for turn in range(rounds):
        ground = _ground(arena, random.Random(turn))
        event = _event(turn % 3, turn)
        other = RepairEvent.delete("s", id=event.id)
        sent = [event, event, event, other]
        withdraw = partial(arena.barrier, barrier.withdraw, ground.space)
        results = arena.race(*(partial(withdraw, one, ground.tombstone_key) for one in sent))
        seen, faults = arena.judge(ground)
        done = [result for result in results if not isinstance(result, Refused)]
        rows = {(result.event_id, result.seq, result.affected) for result in done}
        if sum(not result.repeated for result in done) != 1 or len(rows) != 1:
            faults.append(f"opened otherwise than once: {results}")
        if len(seen.events) != 1:
            faults.append(f"{len(seen.events)} events")
        tally.add(results, faults)
    arena.tell(tally)
    tally.sound(rounds)
