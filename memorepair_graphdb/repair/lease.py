"""Claims an event for this worker, keeps the lease while it works, and gives it up at the end."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING

from ..errors import ClaimLost, EventConflict, MemoRepairError, OutcomeUnknown
from ..store import events
from ..worker import is_dead, worker_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..environment import Environment
    from ..store.events import Claim


class ClosedMeanwhile(EventConflict):
    """Another worker closed the event between our look at it and our claim."""


@dataclass(slots=True)
class Lease:
    """The lease of one event, claimed as often as a repair has to try.

    Mutable: it remembers that an earlier claim of its own may stand in the graph.
    """

    env: Environment
    event_id: str
    may_be_ours: bool = False
    """after a commit of unknown outcome the lease may be our own: the next claim takes it as a dead worker's"""

    @contextmanager
    def hold(self) -> Iterator[Claim]:
        """Claim the event, renew the lease in the background, and give it up at the end, whatever the end.

        Raises `ClaimLost` while another worker has the event, `ClosedMeanwhile`, `NotFound`.
        """
        try:
            claim = self._claim()
            with _renewed(self.env, claim):
                yield claim
        except OutcomeUnknown:
            self.may_be_ours = True
            raise

    def _claim(self) -> Claim:
        env = self.env
        dead = worker_name() if self.may_be_ours else _dead_owner(env, self.event_id)
        try:
            return env.db.write(events.claim, env.space, self.event_id, worker_name(), dead, env.lease_seconds)
        except EventConflict as closed:
            raise ClosedMeanwhile(str(closed)) from closed


def _dead_owner(env: Environment, event_id: str) -> str:
    """Return the worker that holds the lease, where it is known to be dead; else an empty string."""
    for event in env.db.read(events.open_events, env.space):
        if event.event_id == event_id and event.owner and is_dead(event.owner):
            return event.owner
    return ""


@contextmanager
def _renewed(env: Environment, claim: Claim) -> Iterator[None]:
    stop = Event()

    def renew() -> None:
        while not stop.wait(env.lease_seconds / 3):
            try:
                env.db.write(events.renew, env.space, claim, env.lease_seconds)
            except ClaimLost:
                return  # the next write of the work itself says so
            except MemoRepairError:
                continue

    thread = Thread(target=renew, name=f"lease-{claim.event_id}", daemon=True)
    thread.start()
    try:
        yield
    except BaseException:
        stop.set()
        thread.join()
        _give_up(env, claim)
        raise
    stop.set()
    thread.join()


def _give_up(env: Environment, claim: Claim) -> None:
    try:
        env.db.write(events.renew, env.space, claim, 0)
    except MemoRepairError:
        return  # it ends by itself
