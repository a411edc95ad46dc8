"""One attempt at a successor: run the operator, settle what it returned, put it to the checks.

An attempt never raises; it ends in a payload that passed, or in an outcome with its reason.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from ...errors import OperatorError, Passing, describe
from ...model.vocabulary import Outcome
from ..protocol.check import CheckInput
from ..protocol.context import Context, Interfaces, contracts_read
from ..protocol.operator import Operator, Validator
from ..protocol.payload import Payload, settle
from ..protocol.verdict import Review, Verdict
from .pool import Pool, Stage, Task
from .stage import ESTIMATE, RUN, Attempt, AttemptState, Job, OverLimit, Overran

_log = logging.getLogger(__name__)

CHECK_SECONDS = 60.0
"""What a check of ours has at least: it may ask the graph how frequent a word is, whatever the operator's limit."""
PASSING = (Passing, ConnectionError, TimeoutError)
"""Errors after which another try may do, where the operator has retries."""
VOUCHED = "vouched"
"""The check that an operator's vouching checks have seen something; it is told only where it fails."""
LONGEST_PAUSE = 8.0
"""seconds between two tries; the first pause is half a second"""


def attempt(job: Job, stage: Stage | None = None) -> Attempt:
    """Run, settle, validate, here and now; only a pool (`stage`) can hold a plain function to its time limit."""
    return _attempt(AttemptState(job, pool=stage))


def attempts(pool: Pool, jobs: Iterable[Job]) -> Iterator[tuple[int, Attempt]]:
    """Yield each job's place and attempt, as they end; run and checks have the operator's time limit each."""
    under_way: dict[int, AttemptState] = {}

    def tasks() -> Iterator[Task[Attempt]]:
        for number, job in enumerate(jobs):
            state = under_way[number] = AttemptState(job)
            yield Task(_work(state), job.operator.timeout)

    for result in pool.run(tasks()):
        state = under_way.pop(result.number)
        if result.value is not None:
            yield result.number, result.value
        elif result.overran is not None:
            ended = state.late()
            _log.warning("%s on %s: %s", state.job.operator.name, state.job.context.key, ended.reason)
            yield result.number, ended
        else:
            yield result.number, state.stopped(describe(result.error))


def _work(state: AttemptState) -> Callable[[Stage], Attempt]:
    def work(stage: Stage) -> Attempt:
        state.pool = stage
        return _attempt(state)

    return work


def _attempt(state: AttemptState) -> Attempt:
    try:
        payload = _run(state)
        _validate(state, payload)
    except OverLimit:
        return state.late()
    except Overran:
        state.limit = state.job.operator.timeout
        return state.late()
    except (Exception, SystemExit) as error:
        _log.debug("%s on %s", state.job.operator.name, state.job.context.key, exc_info=True)
        return state.stopped(describe(error))
    verdicts = tuple(state.verdicts)
    if verdicts and not verdicts[-1].ok:
        last = verdicts[-1]
        reason = f"{last.check}: {last.told}"
        return Attempt(None, Outcome.REJECTED, reason, verdicts, state.spent, state.read)
    return Attempt(payload, None, "", verdicts, state.spent, state.read)


def _run(state: AttemptState) -> Payload:
    job = state.job
    context = job.context.again()
    if job.operator.recipe is not None:
        context.recipe_as(
            job.operator.recipe
        )  # plain Cypher may have written it: a bad one fails here, with its reason
    try:
        state.spent = state.call(ESTIMATE, job.operator.estimate, context.again())
    except (Exception, SystemExit) as error:
        _log.warning("%s cannot estimate %s: %s", job.operator.name, context.key, describe(error))
        state.spent = context.tokens
    try:
        payload = _tried(state, RUN, context)
    finally:
        if isinstance(context.interfaces, Interfaces):
            state.read = context.interfaces.read
    state.spent = state.wasted + (state.spent if payload.spent is None else payload.spent)
    state.job = replace(job, context=context)
    return payload


def _tried(state: AttemptState, stage: str, context: Context) -> Payload:
    """Run, and run again after an error that can pass."""
    operator = state.job.operator
    if not operator.retries:
        return _run_once(state, stage, context)
    tries = Retrying(
        stop=stop_after_attempt(1 + operator.retries),
        wait=wait_exponential(multiplier=0.5, max=LONGEST_PAUSE),
        retry=retry_if_exception_type(PASSING),
        sleep=state.pause,
        reraise=True,
    )
    return tries(_run_once, state, stage, context)


def _run_once(state: AttemptState, stage: str, context: Context) -> Payload:
    operator = state.job.operator
    try:
        if operator.memory is None:
            return settle(state.call(stage, operator.run, context))
        from .isolated import at_most, run_apart  # here: it needs Linux

        return settle(state.call(stage, run_apart, operator, context, least=at_most(operator)))
    except OperatorError as error:
        if stage == RUN and isfinite(error.spent):
            state.wasted += max(0.0, error.spent)
        raise


def _validate(state: AttemptState, payload: Payload) -> None:
    """Ask the mode's checks, then the operator's own, up to the first that fails."""
    job = state.job
    contracts = contracts_read(job.context.interfaces)
    review = Review(job.context.again(), job.retracted, job.frequency, payload, job.corrected)

    def again() -> Payload:
        return _tried(state, state.stage, job.context.again())

    check_input = CheckInput(review, job.operator, contracts, again)
    for check in job.checks:
        verdict = state.call(check.name, check.judge, check_input, least=CHECK_SECONDS)
        state.verdicts.append(verdict)
        if not verdict.ok:
            return
    for validator in job.operator.validators:
        verdict = _verdict(validator, state.call(_named(validator), validator, review, payload.content))
        state.verdicts.append(verdict)
        if not verdict.ok:
            return
    if (unvouched := _unvouched(job.operator, state.verdicts)) is not None:
        state.verdicts.append(unvouched)


def _unvouched(operator: Operator, verdicts: Sequence[Verdict]) -> Verdict | None:
    """Return the failure of a successor of which no check that could vouch for it has seen anything; else None."""
    vouching = [verdict for verdict in verdicts if verdict.check in operator.vouching]
    if not operator.vouching or any(verdict.applies for verdict in vouching):
        return None
    why = [f"{verdict.check}: {verdict.reason or 'it does not apply'}" for verdict in vouching]
    return Verdict(False, VOUCHED, f"nothing vouches for it ({'; '.join(why) or 'none of its checks was run'})")


def _verdict(validator: Validator, answer: Any) -> Verdict:
    if isinstance(answer, Verdict):
        return answer if answer.check else replace(answer, check=_named(validator))
    if isinstance(answer, bool):
        return Verdict(answer, _named(validator))
    raise OperatorError(f"said {answer!r}; a validator says True, False or a Verdict")


def _named(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))
