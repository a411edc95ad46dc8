"""The order of the steps of a repair, and nothing else: barrier, plan, execute, publish, close.

The law of the room: each step is idempotent, and goes on from what the graph says; a crash can come anywhere.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

from ..errors import ClaimLost, EventConflict, MemoRepairError, OutcomeUnknown, PlanChanged
from ..model.vocabulary import EventStatus
from ..store import cascades, events, plans
from ..worker import is_dead, worker_name
from . import barrier
from .execution.embedding import embed_replacements
from .execution.execute import execute
from .execution.publication import close
from .planning.estimates import estimator, factors
from .planning.plan import plan
from .planning.refusals import ask_refusals
from .planning.selection import Terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..environment import Environment
    from ..model.event import RepairEvent
    from ..model.plan import Plan
    from ..model.report import Report
    from ..store.cascades import Held
    from ..store.events import Claim
    from ..store.plans import StoredPlan
    from ..store.transactions import Tx

DEFAULT_TRADEOFF = "0.3"

_ATTEMPTS = 5


def preview(env: Environment, event: RepairEvent, terms: Terms) -> Plan:
    """The plan that `repair` would carry out; nothing is written."""

    def read(tx: Tx) -> Plan:
        return plan_of(tx, env, cascades.of_roots(tx, env.space, event), terms)

    return env.db.read(read)


def repair(env: Environment, event: RepairEvent, terms: Terms, expect: str | None = None) -> Report:
    """Withdraw, plan, execute, validate, publish, close (paper, algorithm 1).

    With `expect` raises `PlanChanged`: before anything is written when the cascade differs, behind the barrier when
    only the plan does; the event then stays withdrawn.
    """
    started = time.perf_counter()
    barrier.withdraw(env, event, expect, terms.tradeoff or DEFAULT_TRADEOFF, terms.budget)
    seconds = {"withdraw": time.perf_counter() - started}
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
    ours = ""
    for last in (*[False] * _ATTEMPTS, True):
        report = env.db.read(events.status, env.space, event_id)
        if report.status is EventStatus.CLOSED:
            if expect is not None:
                _check_expected(env.db.read(plans.stored, env.space, event_id), event_id, expect)
            return report.model_copy(update={"seconds": seconds})
        try:
            claimed = _claim(env, event_id, ours)
            with _kept(env, claimed):
                _advance(env, claimed, terms, expect, seconds)
        except _Closed:
            if last:
                raise  # closed by another since we looked, and open again whenever we look
        except OutcomeUnknown:
            if last:
                raise
            ours = worker_name()  # the lease is our own: take it again, and go on from what was committed
    raise AssertionError("unreachable")


def retry(env: Environment, event_id: str, terms: Terms) -> Report:
    """Plan a closed event again over what it still holds, on other terms or the same, and carry that out."""
    for last in (*[False] * _ATTEMPTS, True):
        try:
            env.db.write(events.retry, env.space, event_id, terms.tradeoff, terms.budget)
        except OutcomeUnknown:
            if last:
                raise
            if env.db.read(events.status, env.space, event_id).status is EventStatus.CLOSED:
                continue  # not committed, for nobody has planned it again
        break
    return resume(env, event_id, Terms())


def plan_of_event(tx: Tx, env: Environment, event_id: str, terms: Terms) -> tuple[Plan, Held]:
    """The plan of an event behind its barrier, and what it was made of; nothing is written. Raises `NotFound`."""
    held = cascades.of_event(tx, env.space, event_id)
    return plan_of(tx, env, held, terms), held


def unknown_operators(tx: Tx, env: Environment, event_id: str) -> tuple[str, ...]:
    """Names of operators that the event needs and that cannot run here: not registered, or lacking what they need."""
    named = cascades.of_event(tx, env.space, event_id).cascade.operators
    return tuple(sorted(name for name in named if not env.registry.able(name)))


class _Closed(EventConflict):
    """Another worker closed the event between our look at it and our claim."""


def _claim(env: Environment, event_id: str, ours: str) -> Claim:
    dead = ours or _dead_owner(env, event_id)
    try:
        return env.db.write(events.claim, env.space, event_id, worker_name(), dead, env.lease_seconds)
    except EventConflict as closed:
        raise _Closed(str(closed)) from closed


def _advance(env: Environment, claimed: Claim, terms: Terms, expect: str | None, seconds: dict[str, float]) -> None:
    if claimed.status is EventStatus.WITHDRAWN:
        with _timed(seconds, "plan"):
            embed_replacements(env, claimed.event_id)
            made = _write_plan(env, claimed, terms.or_else(claimed.tradeoff, claimed.budget), expect)
        seconds["select"] = made.choice.seconds
        seconds["plan"] -= made.choice.seconds
    with _timed(seconds, "execute"):
        stored = env.db.read(plans.stored, env.space, claimed.event_id)
        _check_expected(stored, claimed.event_id, expect)
        execute(env, claimed, stored.selected, stored.settled)
    with _timed(seconds, "close"):
        close(env, claimed, stored.removed, {id_: (outcome, None) for id_, outcome in stored.others.items()})


def _check_expected(stored: StoredPlan, event_id: str, expect: str | None) -> None:
    """Raise `PlanChanged` when an event that was opened before has another plan than the one expected."""
    if expect is not None and stored.plan_id != expect:
        raise PlanChanged(f"event {event_id} has its plan already, {stored.plan_id}, and not the one expected")


def _write_plan(env: Environment, claimed: Claim, terms: Terms, expect: str | None) -> Plan:
    """Plan what the event holds, and lay the plan down; again, when a derivation came in between."""
    for _ in range(100):
        made, held = env.db.read(plan_of_event, env, claimed.event_id, terms)
        if expect is not None and made.plan_id != expect:
            raise PlanChanged(
                f"behind the barrier the plan is {made.plan_id}, not the one expected; event {claimed.event_id} stays "
                "withdrawn: look at it with status, and resume it to carry this plan out"
            )
        try:
            lay_down(env, claimed, made, held)
        except PlanChanged:
            continue
        return made
    raise PlanChanged(f"derivations keep being added to event {claimed.event_id}; resume it later")


def lay_down(env: Environment, claimed: Claim, made: Plan, held: Held) -> None:
    """Write a plan on AFFECTS, and declare it written; raises `PlanChanged` when a derivation came in between."""
    written = 0
    for part in plans.batches(made, held.replaced, {id_: key for key, id_ in held.cascade.roots}, env.batch):
        env.progress("plan", written, len(made.cascade))
        env.db.write(plans.write_columns, env.space, claimed, part)
        written += len(part.ids)
    env.db.write(plans.complete, env.space, claimed, made, held.arrivals)


def plan_of(tx: Tx, env: Environment, held: Held, terms: Terms) -> Plan:
    """The plan of a cascade as it was read; nothing is written."""
    learned = factors(tx, env.space)
    return plan(
        held.cascade,
        event=held.event,
        delta=held.delta,
        replaced=held.replaced,
        operators=env.registry,
        tradeoff=terms.tradeoff or DEFAULT_TRADEOFF,
        budget=terms.budget,
        estimate=estimator(tx, env.space, held.cascade, learned),
        embedder=env.embedder_version,
        without_embeddings=env.without_embeddings,
        refused=ask_refusals(tx, env.space, held, env.registry),
        factors=learned,
    )


def _dead_owner(env: Environment, event_id: str) -> str:
    """The worker that holds the lease, where it is known to be gone."""
    for open_event in env.db.read(events.open_events, env.space):
        if open_event.event_id == event_id and open_event.owner and is_dead(open_event.owner):
            return open_event.owner
    return ""


@contextmanager
def _kept(env: Environment, claimed: Claim) -> Iterator[None]:
    """Keep the lease while working, and give it up at the end, whatever the end."""
    stop = Event()

    def renew() -> None:
        while not stop.wait(env.lease_seconds / 3):
            try:
                env.db.write(events.renew, env.space, claimed, env.lease_seconds)
            except ClaimLost:
                return  # the next write of the work itself says so
            except MemoRepairError:
                continue

    keeper = Thread(target=renew, name=f"lease-{claimed.event_id}", daemon=True)
    keeper.start()
    try:
        yield
    except BaseException:
        stop.set()
        keeper.join()
        _give_up(env, claimed)
        raise
    stop.set()
    keeper.join()


def _give_up(env: Environment, claimed: Claim) -> None:
    try:
        env.db.write(events.renew, env.space, claimed, 0)
    except MemoRepairError:
        return  # it ends by itself


@contextmanager
def _timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    started = time.perf_counter()
    try:
        yield
    finally:
        seconds[step] = seconds.get(step, 0.0) + time.perf_counter() - started
