"""One attempt at a successor: run the operator, settle what it returned, put it to the checks.

The law of the room: an attempt never raises; it ends in a payload that passed, or in an outcome with its reason.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import isfinite
from typing import Any

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from ..errors import BadInput, MemoRepairError, Passing
from ..model.outcome import Outcome
from .context import Context, Interfaces, contracts_read
from .course import ESTIMATE, RUN, Attempt, Course, Job, OverLimit, Overran, told
from .operator import Validator
from .payload import Payload, settle
from .running import Pool, Stage, Task
from .trial import Trial
from .verdict import Review, Verdict

log = logging.getLogger(__name__)

CHECK_SECONDS = 60.0
"""What a check of ours has at least: it may ask the graph how frequent a word is, whatever the operator's limit."""
PASSING = (Passing, ConnectionError, TimeoutError)
"""Errors after which another try may do, where the operator has retries."""
LONGEST_PAUSE = 8.0
"""seconds between two tries; the first pause is half a second"""


def attempt(job: Job, stage: Stage | None = None) -> Attempt:
    """Run, settle, validate, here and now; only a pool (`stage`) can hold a plain function to its time limit."""
    return _attempt(Course(job, pool=stage))


def attempts(pool: Pool, jobs: Iterable[Job]) -> Iterator[tuple[int, Attempt]]:
    """Each job's place and attempt, as they end; run and checks have the operator's time limit each."""
    under_way: dict[int, Course] = {}

    def tasks() -> Iterator[Task[Attempt]]:
        for number, job in enumerate(jobs):
            course = under_way[number] = Course(job)
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


def _work(course: Course) -> Callable[[Stage], Attempt]:
    def work(stage: Stage) -> Attempt:
        course.pool = stage
        return _attempt(course)

    return work


def _attempt(course: Course) -> Attempt:
    try:
        payload = _run(course)
        _validate(course, payload)
    except OverLimit:
        return course.late()
    except Overran:
        course.limit = course.job.operator.timeout
        return course.late()
    except (Exception, SystemExit) as error:
        log.debug("%s on %s", course.job.operator.name, course.job.context.key, exc_info=True)
        return course.stopped(told(error))
    verdicts = tuple(course.verdicts)
    if verdicts and not verdicts[-1].ok:
        last = verdicts[-1]
        reason = f"{last.check}: {last.told}"
        return Attempt(None, Outcome.REJECTED, reason, verdicts, course.spent, course.read)
    return Attempt(payload, None, "", verdicts, course.spent, course.read)


def _run(course: Course) -> Payload:
    job = course.job
    context = job.context.again()
    try:
        course.spent = course.call(ESTIMATE, job.operator.estimate, context.again())
    except Exception as error:
        log.warning("%s cannot estimate %s: %s", job.operator.name, context.key, told(error))
    try:
        payload = _tried(course, RUN, context)
    finally:
        if isinstance(context.interfaces, Interfaces):
            course.read = context.interfaces.read
    course.spent = course.wasted + (course.spent if payload.spent is None else payload.spent)
    course.job = replace(job, context=context)
    return payload


def _tried(course: Course, stage: str, context: Context) -> Payload:
    """Run, and run again after an error that can pass."""
    operator = course.job.operator
    if not operator.retries:
        return _run_once(course, stage, context)
    tries = Retrying(
        stop=stop_after_attempt(1 + operator.retries),
        wait=wait_exponential(multiplier=0.5, max=LONGEST_PAUSE),
        retry=retry_if_exception_type(PASSING),
        sleep=course.pause,
        reraise=True,
    )
    return tries(_run_once, course, stage, context)


def _run_once(course: Course, stage: str, context: Context) -> Payload:
    operator = course.job.operator
    try:
        if operator.memory is None:
            return settle(course.call(stage, operator.run, context))
        from .apart import at_most, run_apart  # here: it needs Linux

        return settle(course.call(stage, run_apart, operator, context, least=at_most(operator)))
    except MemoRepairError as error:
        if stage == RUN and isfinite(error.spent):
            course.wasted += max(0.0, error.spent)
        raise


def _validate(course: Course, payload: Payload) -> None:
    """The mode's checks, then the operator's own, up to the first that fails."""
    job = course.job
    contracts = contracts_read(job.context.interfaces)
    review = Review(job.context.again(), job.retracted, job.frequency, payload)

    def again() -> Payload:
        return _tried(course, course.stage, job.context.again())

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
