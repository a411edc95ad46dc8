"""One attempt at a successor: run the operator, settle what it returned, put it to the checks.

The law of the room: an attempt never raises; it ends in a payload that passed, or in an outcome with its reason.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import BadInput
from ..model.outcome import Outcome
from .context import Context, Interfaces, contracts_read
from .operator import Operator, Validator
from .payload import Payload, settle
from .running import Pool, Stage, Task
from .trial import Check, Trial
from .verdict import Frequency, Review, Verdict

log = logging.getLogger(__name__)

ESTIMATE, RUN = "estimate", "run"
"""The stages before the checks; each check is a stage of its own, under its name."""
CHECK_SECONDS = 60.0
"""What a check of ours has at least: it may ask the graph how frequent a word is, whatever the operator's limit."""
GRACE = 0.25
"""Seconds that a cancelled coroutine has to clean up before its worker is given up."""
LONGEST = 500
"""characters of an error that a reason keeps"""


class OverLimit(Exception):
    """A coroutine ran past its limit and was cancelled."""


def never_seen(token: str) -> int:
    """The frequency in an empty space: every word is rare."""
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
    """tokens: what the payload says, else the estimate; failures too. Checks are not counted"""
    read: frozenset[str] = frozenset()
    """ids of the contract records that the run read: each is an influence"""


@dataclass(slots=True)
class _Course:
    """How far an attempt is; read from outside when its worker hangs."""

    job: Job
    stage: str = ESTIMATE
    limit: float = 0.0
    """seconds that the stage has"""
    spent: float = 0.0
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
        return asyncio.run(_within(self.limit, value))

    def _announce(self, limit: float) -> None:
        if self.pool is not None:
            self.pool.enter(self.stage, limit)

    def stopped(self, reason: str) -> Attempt:
        """The attempt that failed in the stage it is in."""
        if self.stage in (ESTIMATE, RUN):
            return Attempt(None, Outcome.OPERATOR_FAILED, reason, (), self.spent, self.read)
        failed = Verdict(False, self.stage, reason)
        checks = (*self.verdicts, failed)
        return Attempt(None, Outcome.REJECTED, f"{self.stage}: {reason}", checks, self.spent, self.read)

    def late(self) -> Attempt:
        """The attempt whose stage did not end in time."""
        return self.stopped(f"no answer within {self.limit:g} s")


def attempt(job: Job, stage: Stage | None = None) -> Attempt:
    """Run, settle, validate, here and now; only a pool (`stage`) can hold a plain function to its time limit."""
    return _attempt(_Course(job, pool=stage))


def attempts(pool: Pool, jobs: Iterable[Job]) -> Iterator[tuple[int, Attempt]]:
    """Each job's place and attempt, as they end; run and checks have the operator's time limit each."""
    under_way: dict[int, _Course] = {}

    def tasks() -> Iterator[Task[Attempt]]:
        for number, job in enumerate(jobs):
            course = under_way[number] = _Course(job)
            yield Task(_work(course), job.operator.timeout)

    for result in pool.run(tasks()):
        course = under_way.pop(result.number)
        if result.value is not None:
            yield result.number, result.value
        elif result.overran is not None:
            ended = course.late()
            log.warning("%s on %s: %s", course.job.operator.name, course.job.context.key, ended.reason)
            yield result.number, ended
        else:
            yield result.number, course.stopped(told(result.error))


def _work(course: _Course) -> Callable[[Stage], Attempt]:
    def work(stage: Stage) -> Attempt:
        course.pool = stage
        return _attempt(course)

    return work


def _attempt(course: _Course) -> Attempt:
    try:
        payload = _run(course)
        _validate(course, payload)
    except OverLimit:
        return course.late()
    except (Exception, SystemExit) as error:
        log.debug("%s on %s", course.job.operator.name, course.job.context.key, exc_info=True)
        return course.stopped(told(error))
    verdicts = tuple(course.verdicts)
    if verdicts and not verdicts[-1].ok:
        last = verdicts[-1]
        reason = f"{last.check}: {last.reason or 'no'}"
        return Attempt(None, Outcome.REJECTED, reason, verdicts, course.spent, course.read)
    return Attempt(payload, None, "", verdicts, course.spent, course.read)


def _run(course: _Course) -> Payload:
    job = course.job
    context = job.context.again()
    try:
        course.spent = course.call(ESTIMATE, job.operator.estimate, context.again())
    except Exception as error:
        log.warning("%s cannot estimate %s: %s", job.operator.name, context.key, told(error))
    try:
        payload = settle(course.call(RUN, job.operator.run, context))
    finally:
        if isinstance(context.interfaces, Interfaces):
            course.read = context.interfaces.read
    if payload.spent is not None:
        course.spent = payload.spent
    course.job = replace(job, context=context)
    return payload


def _validate(course: _Course, payload: Payload) -> None:
    """The mode's checks, then the operator's own, up to the first that fails."""
    job = course.job
    contracts = contracts_read(job.context.interfaces)
    review = Review(job.context.again(), job.retracted, job.frequency, payload)

    def again() -> Payload:
        return settle(course.call(course.stage, job.operator.run, job.context.again()))

    trial = Trial(review, job.operator, contracts, again)
    for check in job.checks:
        verdict = course.call(check.name, check.judge, trial, least=CHECK_SECONDS)
        course.verdicts.append(verdict)
        if not verdict.ok:
            return
    for validator in job.operator.validators:
        verdict = _verdict(validator, course.call(_named(validator), validator, review, payload.content))
        course.verdicts.append(verdict)
        if not verdict.ok:
            return


def _verdict(validator: Validator, said: Any) -> Verdict:
    if isinstance(said, Verdict):
        return said if said.check else replace(said, check=_named(validator))
    if isinstance(said, bool):
        return Verdict(said, _named(validator))
    raise BadInput(f"said {said!r}; a validator says True, False or a Verdict")


def _named(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


async def _within(limit: float, value: Awaitable[Any]) -> Any:
    try:
        async with asyncio.timeout(limit) as scope:
            return await value
    except TimeoutError:
        if scope.expired():
            raise OverLimit from None
        raise


def told(error: BaseException | None) -> str:
    """An error in a line for a person: our own as it says, others with their type."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # a foreign error may fail even at that
        text = ""
    if not isinstance(error, BadInput):
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
