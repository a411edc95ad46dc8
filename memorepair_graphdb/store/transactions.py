"""Opens transactions, retries what can pass, and turns the driver's errors into ours.

A unit of work is a function of a transaction. It may run more than once, so it must be idempotent.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeAlias, TypeVar

from neo4j import NotificationMinimumSeverity
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConstraintError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    TransientError,
)
from tenacity import Retrying, retry_if_exception, stop_after_delay, stop_any, wait_random
from tenacity.stop import stop_base

from ..errors import BadInput, Exhausted, OutcomeUnknown, StoreError, Unreachable
from .interrupts import cancelled_cleanly

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import Driver, ManagedTransaction, Session
    from tenacity import RetryCallState

Tx: TypeAlias = "ManagedTransaction"
"""The transaction that every function of the store takes first."""

Args = ParamSpec("Args")
Result = TypeVar("Result")

PATIENCE = 120.0
"""Seconds for which a write is tried again after deadlocks and lock timeouts."""
BARRIER_PATIENCE = 900.0
"""The same for a barrier, which waits for every writer of its space."""

LOST_RACES = 50
"""Conflicts with a uniqueness rule after which it was no race: the winner of one is seen on the next try."""

PAUSE = 0.05
"""At most so many seconds between two tries, so that those who lost to each other do not meet again."""

_SCHEMA_RACE = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
_MEMORY = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
_log = logging.getLogger(__name__)


class Transactions:
    """Runs units of work on one database of a driver."""

    def __init__(self, driver: Driver, database: str | None = None) -> None:
        self._driver = driver
        self._database = database

    def knock(self) -> None:
        """Raise `Unreachable` at once when no server answers; a unit of work would be tried for half a minute."""
        try:
            with cancelled_cleanly():
                self._driver.verify_connectivity()
        except (Neo4jError, DriverError) as error:
            raise _to_our_error(error) from error

    def read(self, work: Callable[Concatenate[Tx, Args], Result], *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """Run a reading unit of work."""
        return self._persist(lambda session: session.execute_read(_with_memory_error(work), *args, **kwargs), PATIENCE)

    def write(self, work: Callable[Concatenate[Tx, Args], Result], *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """Run a writing unit of work; committed when it returns."""
        return self._persist(lambda session: session.execute_write(_with_memory_error(work), *args, **kwargs), PATIENCE)

    def barrier(self, work: Callable[Concatenate[Tx, Args], Result], *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """Run a unit of work that takes all stripes: as `write`, with a longer patience."""
        return self._persist(
            lambda session: session.execute_write(_with_memory_error(work), *args, **kwargs), BARRIER_PATIENCE
        )

    def _persist(self, run: Callable[[Session], Result], patience: float) -> Result:
        lost_races = _LostRaces()
        tries = Retrying(
            retry=retry_if_exception(_can_pass),
            stop=stop_any(lost_races, stop_after_delay(patience)),
            wait=wait_random(0, PAUSE),
            before_sleep=_log_try,
            reraise=True,
        )
        try:
            result: Result = tries(self._run_once, run)
            return result
        except UnicodeEncodeError as error:
            raise BadInput(f"holds a lone surrogate at position {error.start}, which is no text") from error
        except (Neo4jError, DriverError) as error:
            if not isinstance(error, Neo4jError) or not _can_pass(error):
                raise _to_our_error(error) from error
            if lost_races.count >= LOST_RACES:  # no race is lost so often: what stands there is foreign
                raise StoreError(f"a rule of the database stands against it: {error.message}") from error
            raise StoreError(f"the database kept refusing for {patience:.0f} s: {error.message}") from error

    def _run_once(self, run: Callable[[Session], Result]) -> Result:
        with (
            cancelled_cleanly(),
            self._driver.session(
                database=self._database,
                # On the session, for the driver may be the caller's: it would warn of what is not yet in use.
                notifications_min_severity=NotificationMinimumSeverity.OFF,
            ) as session,
        ):
            return run(session)


class _LostRaces(stop_base):
    """Stops one unit of work after `LOST_RACES` conflicts with a uniqueness rule, which it counts."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, retry_state: RetryCallState) -> bool:
        self.count += isinstance(_error_of(retry_state), ConstraintError)
        return self.count >= LOST_RACES


def _error_of(state: RetryCallState) -> BaseException | None:
    return None if state.outcome is None else state.outcome.exception()


def _log_try(state: RetryCallState) -> None:
    _log.info("trying again after %s", getattr(_error_of(state), "code", None))


def _with_memory_error(
    work: Callable[Concatenate[Tx, Args], Result],
) -> Callable[Concatenate[Tx, Args], Result]:
    def run(tx: Tx, /, *args: Args.args, **kwargs: Args.kwargs) -> Result:
        try:
            return work(tx, *args, **kwargs)
        except TransientError as error:
            if error.code == _MEMORY:  # the driver would retry it for nothing
                raise Exhausted(
                    "the server ran out of transaction memory: raise its heap (memorepair db start --heap, or "
                    "server.memory.heap.max_size) or dbms.memory.transaction.total.max"
                ) from error
            raise

    return run


def _can_pass(error: BaseException) -> bool:
    """Return whether the next try can succeed: after a deadlock, or a lost race, whose winner it sees."""
    if isinstance(error, Neo4jError) and error.code == _SCHEMA_RACE:
        return True  # raised in spite of IF NOT EXISTS when two processes declare the same at once
    return isinstance(error, TransientError | ConstraintError)


def _to_our_error(error: Exception) -> StoreError:
    if isinstance(error, AuthError):
        return Unreachable(
            f"the server refuses these credentials: check NEO4J_USERNAME and NEO4J_PASSWORD ({error.message})"
        )
    if isinstance(error, IncompleteCommit):
        return OutcomeUnknown("the connection broke during a commit: ask again, it is safe")
    if isinstance(error, ServiceUnavailable):
        why = " ".join(str(error).split())
        return Unreachable(f"no Neo4j server answers ({why}): start one with `memorepair db start`, or set NEO4J_URI")
    if isinstance(error, ClientError) and "Database" in (error.code or "") and "NotFound" in (error.code or ""):
        return Unreachable(f"the database does not exist: check NEO4J_DATABASE ({error.message})")
    return StoreError(f"the database failed: {error}")
