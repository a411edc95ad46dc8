"""An arena for races: clients that start together, each with sessions of its own, on ground that is theirs alone.

A refusal is a result; any other error, a deadlock above all, ends the test.
"""

from __future__ import annotations

import logging
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from memorepair_graphdb.errors import Refused
from memorepair_graphdb.model.artifact import Draft, Kind, Source
from memorepair_graphdb.model.content import content_hash
from memorepair_graphdb.store import bulk, checks, schema
from memorepair_graphdb.store.transactions import Transactions
from tests.races import oracle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from neo4j import Driver, ManagedTransaction

T = TypeVar("T")

TRIES = 200
"""Rounds in which a broken form must be caught; it takes a few."""
STALE = 20
"""Spaces after which the arena is cleared: the checks read past whatever else is in the database."""
CLIENTS = 24
"""The most clients in one race."""

_CLEAR = "MATCH (n:$($label)) WHERE n.space IN $spaces DETACH DELETE n"

_log = logging.getLogger(__name__)


def draft(key: str, content: str | None = None, sources: Iterable[Any] = (), tool: str | None = None) -> Draft:
    """A record, or with sources a summary of them."""
    text = f"what {key} says" if content is None else content
    named = tuple(Source.of(source) for source in sources)
    return Draft(
        key=key,
        kind=Kind.SUMMARY if named else Kind.RECORD,
        content=text,
        content_hash=content_hash(text),
        operator="digest@1" if named else None,
        tool=tool,
        sources=named,
    )


@dataclass(frozen=True)
class Ground:
    """A space of its own with a graph in it: key → id of what stood there before the race."""

    space: str
    tombstone_key: bytes
    ids: dict[str, str]


@dataclass
class Tally:
    """What the rounds of a race came to."""

    name: str
    rounds: int = 0
    accepted: int = 0
    refused: int = 0
    exposed: int = 0
    """rounds with a violation"""
    faults: list[str] = field(default_factory=list)
    began: float = field(default_factory=perf_counter)

    def add(self, results: Iterable[object], faults: list[str]) -> None:
        """Count a round: refusals are errors, all else was accepted."""
        self.rounds += 1
        for result in results:
            refused = isinstance(result, Refused)
            self.refused += refused
            self.accepted += not refused
        self.exposed += bool(faults)
        self.faults += [f"round {self.rounds}: {fault}" for fault in faults]

    def sound(self, rounds: int) -> None:
        """Assert that nothing was wrong, and that both outcomes were really raced for."""
        assert self.faults == []
        assert self.rounds == rounds
        both = self.accepted + self.refused
        assert min(self.accepted, self.refused) >= both / 5, f"{self.accepted} accepted, {self.refused} refused"


class Arena:
    """Runs clients against each other on one server."""

    def __init__(self, driver: Driver) -> None:
        self.transactions = Transactions(driver)
        self._pool = ThreadPoolExecutor(CLIENTS)
        self._counting = threading.Lock()
        self._spaces: list[str] = []
        self.calls = 0
        self.tries = 0

    def write(self, work: Callable[..., T], *args: Any) -> T:
        """Run a unit of work as the project does, counting how often it was tried."""
        return self._counted(self.transactions.write, work, *args)

    def barrier(self, work: Callable[..., T], *args: Any) -> T:
        """The same with a barrier's patience."""
        return self._counted(self.transactions.barrier, work, *args)

    def read(self, work: Callable[..., T], *args: Any) -> T:
        """Run a reading unit of work."""
        return self.transactions.read(work, *args)

    def _counted(self, run: Callable[[Callable[[ManagedTransaction], T]], T], work: Callable[..., T], *args: Any) -> T:
        def counted(tx: ManagedTransaction) -> T:
            with self._counting:
                self.tries += 1
            return work(tx, *args)

        with self._counting:
            self.calls += 1
        return run(counted)

    def space(self) -> str:
        """A name that is used once; what it holds is cleared with the rest."""
        self._spaces.append(f"r_{uuid.uuid4().hex[:12]}")
        return self._spaces[-1]

    def ground(self, *drafts: Draft) -> Ground:
        """A fresh space with these artifacts in service; their sources are keys."""
        if len(self._spaces) >= STALE:
            self.clear()
        space = self.space()

        def lay(tx: ManagedTransaction) -> Ground:
            key = schema.open_space(tx, space, "a key for tests").encode()
            bulk.load(tx, space, drafts, key)
            known = bulk.read_versions(tx, space, [one.key for one in drafts])
            return Ground(space, key, {name: versions[0].id for name, versions in known.items()})

        return self.transactions.write(lay)

    def race(self, *clients: Callable[[], Any]) -> list[Any]:
        """Start all clients at once; their results in order, a `Refused` where one was refused."""
        start = threading.Barrier(len(clients))

        def run(client: Callable[[], Any]) -> Any:
            start.wait(timeout=60)
            try:
                return client()
            except Refused as refused:
                return refused

        return [future.result(timeout=300) for future in [self._pool.submit(run, client) for client in clients]]

    def judge(self, ground: Ground) -> tuple[oracle.World, list[str]]:
        """Everything in the space, and what the oracle and the project's own checks find wrong with it."""

        def look(tx: ManagedTransaction) -> tuple[oracle.World, list[str]]:
            seen = oracle.world(tx, ground.space)
            found = [f"{v.check}: {v.key} ({v.id}) {v.detail}" for v in checks.check(tx, ground.space).violations]
            return seen, oracle.faults(seen) + found

        return self.read(look)

    def tell(self, tally: Tally) -> None:
        """Log what was measured (`pytest --log-cli-level=INFO`)."""
        seconds = perf_counter() - tally.began
        _log.info(
            "%s: %d rounds, %d accepted, %d refused, %d exposed, %.1f s (%.1f rounds/s); so far %d calls, %d retries",
            *(tally.name, tally.rounds, tally.accepted, tally.refused, tally.exposed, seconds, tally.rounds / seconds),
            *(self.calls, self.tries - self.calls),
        )

    def clear(self) -> None:
        """Take away what the rounds so far left, so that those to come do not read past it."""
        for at in range(0, len(self._spaces), 100):
            some = self._spaces[at : at + 100]
            for label in ("Artifact", "RepairEvent", "Gate"):
                self.transactions.write(lambda tx, **about: tx.run(_CLEAR, about).consume(), label=label, spaces=some)
        self._spaces.clear()

    def close(self) -> None:
        """Let the clients go."""
        self._pool.shutdown(cancel_futures=True)
