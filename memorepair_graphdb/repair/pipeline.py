"""Runs the steps of a repair in their order: barrier, plan, execute and publish, close.

Each step is idempotent and goes on from what the graph says, since a worker can die at any commit.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tenacity import retry as tenacity_retry
from tenacity import retry_if_exception_type, stop_after_attempt

from ..errors import EventConflict, OutcomeUnknown
from ..model.vocabulary import EventStatus
from ..store import cascades, events, plans
from . import barrier, corrections
from .execution.embedding import embed_replacements
from .execution.execute import execute
from .execution.publication import close
from .lease import ClosedMeanwhile, Lease
from .planning.planner import DEFAULT_TRADEOFF, plan_cascade
from .planning.selection import Terms
from .planning.writer import plan_and_write, require_expected
from .reports import read_report, with_quoting_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..environment import Environment
    from ..model.event import RepairEvent
    from ..model.plan import Plan
    from ..model.report import Report
    from ..store.events import Claim
    from ..store.transactions import Tx

_ATTEMPTS = 6


class _OpenedAgain(EventConflict):
    """Another worker opened the event again between our closing it and our look at it."""


def preview(env: Environment, event: RepairEvent, terms: Terms) -> Plan:
    """Return the plan that `repair` would carry out; nothing is written."""

    def read(tx: Tx) -> Plan:
        same = corrections.unchanged(tx, env.space, event)
        changed = event.model_copy(update={"roots": tuple(root for root in event.roots if root not in same)})
        plan = plan_cascade(tx, env, cascades.of_roots(tx, env.space, changed), terms)
        if not same:
            return plan
        return plan.model_copy(update={"event": {**plan.event, "unchanged": sorted(same.values())}})

    return env.db.read(read)


def repair(env: Environment, event: RepairEvent, terms: Terms, expect: str | None = None) -> Report:
    """Withdraw, plan, execute, validate, publish, close (paper, algorithm 1).

    With `expect` raises `PlanChanged`: before anything is written when the cascade differs, behind the barrier when
    only the plan does; the event then stays withdrawn.
    """
    started = time.perf_counter()
    withdrawal = barrier.withdraw(env, event, expect, terms.tradeoff or DEFAULT_TRADEOFF, terms.budget)
    seconds = {"withdraw": time.perf_counter() - started}
    if withdrawal.repeated and expect is None:
        report = read_report(env, event.id)
        if report.status is EventStatus.CLOSED:
            return events.done_already(report)
    if not withdrawal.affected:
        return read_report(env, event.id).model_copy(update={"seconds": seconds})
    return resume(env, event.id, terms, expect, seconds)


def resume(
    env: Environment,
    event_id: str,
    terms: Terms,
    expect: str | None = None,
    seconds: dict[str, float] | None = None,
) -> Report:
    """Bring an event to its end from whatever status it has; raises `ClaimLost` while another worker has it.

    What has no plan yet is planned on these terms, else on those that the event was opened or last planned with.
    """
    seconds = {} if seconds is None else seconds
    report = _finish(Lease(env, event_id), terms, expect, seconds)
    return with_quoting_keys(env, report).model_copy(update={"seconds": seconds})


def retry(env: Environment, event_id: str, terms: Terms) -> Report:
    """Plan a closed event again over what it still holds, on other terms or the same, and carry that out."""
    _open_again(env, event_id, terms)
    return resume(env, event_id, Terms())


@tenacity_retry(
    retry=retry_if_exception_type((OutcomeUnknown, ClosedMeanwhile, _OpenedAgain)),
    stop=stop_after_attempt(_ATTEMPTS),
    reraise=True,
)
def _finish(lease: Lease, terms: Terms, expect: str | None, seconds: dict[str, float]) -> Report:
    env, event_id = lease.env, lease.event_id
    report = env.db.read(events.status, env.space, event_id)
    if report.status is not EventStatus.CLOSED:
        with lease.hold() as claim:
            _advance(env, claim, terms, expect, seconds)
        report = env.db.read(events.status, env.space, event_id)
    if report.status is not EventStatus.CLOSED:
        raise _OpenedAgain(f"event {event_id} is opened again whenever it is closed")
    if expect is not None:
        require_expected(env.db.read(plans.stored, env.space, event_id), event_id, expect)
    return report


@tenacity_retry(retry=retry_if_exception_type(OutcomeUnknown), stop=stop_after_attempt(_ATTEMPTS), reraise=True)
def _open_again(env: Environment, event_id: str, terms: Terms) -> None:
    try:
        env.db.write(events.retry, env.space, event_id, terms.tradeoff, terms.budget)
    except OutcomeUnknown:
        if env.db.read(events.status, env.space, event_id).status is EventStatus.CLOSED:
            raise  # not committed, for nobody has planned it again


def _advance(env: Environment, claim: Claim, terms: Terms, expect: str | None, seconds: dict[str, float]) -> None:
    if claim.status is EventStatus.WITHDRAWN:
        with _timed(seconds, "plan"):
            embed_replacements(env, claim.event_id)
            plan = plan_and_write(env, claim, terms.or_else(claim.tradeoff, claim.budget), expect)
        seconds["select"] = plan.choice.seconds
        seconds["plan"] -= plan.choice.seconds
    with _timed(seconds, "execute"):
        stored = env.db.read(plans.stored, env.space, claim.event_id)
        require_expected(stored, claim.event_id, expect)
        execute(env, claim, stored.selected, stored.settled)
    with _timed(seconds, "close"):
        close(env, claim, stored.removed, {id_: (outcome, None) for id_, outcome in stored.others.items()})


@contextmanager
def _timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    started = time.perf_counter()
    try:
        yield
    finally:
        seconds[step] = seconds.get(step, 0.0) + time.perf_counter() - started
