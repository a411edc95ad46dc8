"""How far an attempt is, and what came of it.

Every stage has its limit, and whatever ends an attempt ends it with a reason.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...model.vocabulary import Outcome
from ..protocol.check import Check
from ..protocol.context import Context
from ..protocol.operator import Operator
from ..protocol.payload import Payload
from ..protocol.tools import clock
from ..protocol.verdict import Frequency, Verdict
from .pool import Stage

ESTIMATE, RUN = "estimate", "run"
"""The stages before the checks; each check is a stage of its own, under its name."""
GRACE = 0.25
"""Seconds that a cancelled coroutine has to clean up before its worker is given up."""


class OverLimit(Exception):
    """A coroutine ran past its limit and was cancelled."""


class Overran(Exception):
    """A process was killed for its time."""


def never_seen(token: str) -> int:
    """Return the frequency in an empty space: every word is rare."""
    return 0


@dataclass(frozen=True, slots=True)
class Job:
    """All that an attempt needs."""

    operator: Operator
    context: Context
    checks: tuple[Check, ...] = ()
    """the mode's, which run before the operator's own"""
    retracted: tuple[str, ...] = ()
    frequency: Frequency = never_seen
    corrected: Mapping[str, str] = field(default_factory=dict)
    """of the retracted texts, each that was corrected → what is in service in its place"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of it."""

    payload: Payload | None
    """None unless every check passed"""
    outcome: Outcome | None
    """None, or `operator_failed` or `rejected`"""
    reason: str
    checks: tuple[Verdict, ...]
    """in the order they ran, up to the first that failed"""
    spent: float
    """tokens of all tries: what payload and errors say, else the estimate; failures too. Checks are not counted"""
    read: frozenset[str] = frozenset()
    """ids of the contract records that the run read: each is an influence"""


@dataclass(slots=True)
class AttemptState:
    """How far an attempt is; read from outside when its worker hangs."""

    job: Job
    stage: str = ESTIMATE
    limit: float = 0.0
    """seconds that the stage has"""
    spent: float = 0.0
    wasted: float = 0.0
    """tokens that tries which failed say they had spent"""
    read: frozenset[str] = frozenset()
    verdicts: list[Verdict] = field(default_factory=list)
    pool: Stage | None = None

    def call(self, name: str, function: Callable[..., Any], *arguments: Any, least: float = 0.0) -> Any:
        """Call, and await what it returns, in a stage of its own: it has the operator's time limit, or `least`."""
        self.stage, self.limit = name, max(least, self.job.operator.timeout)
        self._announce(self.limit)
        value = function(*arguments)
        if not inspect.isawaitable(value):
            return value
        self._announce(self.limit + GRACE)
        return asyncio.run(_within(self.limit, value, lambda: self._announce(self.limit + GRACE)))

    def pause(self, seconds: float) -> None:
        """Wait before another try."""
        self._announce(seconds + GRACE)
        time.sleep(seconds)

    def _announce(self, limit: float) -> None:
        if self.pool is not None:
            self.pool.enter(self.stage, limit)

    def stopped(self, reason: str) -> Attempt:
        """Return the attempt that failed in the stage it is in."""
        if self.stage in (ESTIMATE, RUN):
            return Attempt(None, Outcome.OPERATOR_FAILED, reason, (), self.wasted or self.spent, self.read)
        failed = Verdict(False, self.stage, reason)
        checks = (*self.verdicts, failed)
        return Attempt(None, Outcome.REJECTED, f"{self.stage}: {reason}", checks, self.spent, self.read)

    def late(self) -> Attempt:
        """Return the attempt whose stage did not end in time."""
        return self.stopped(f"no answer within {self.limit:g} s")


async def _within(limit: float, value: Awaitable[Any], announce: Callable[[], None]) -> Any:
    """Await for at most `limit` seconds, from the start or from the last `restart_clock`; raises `OverLimit`."""
    try:
        async with asyncio.timeout(limit) as scope:

            def restart() -> None:
                scope.reschedule(asyncio.get_running_loop().time() + limit)
                announce()

            with clock(restart):
                return await value
    except TimeoutError:
        if scope.expired():
            raise OverLimit from None
        raise
