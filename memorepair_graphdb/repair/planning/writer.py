"""Writes the plan of an event on AFFECTS, and compares plans with the one that a caller expects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tenacity import retry, retry_if_exception_type, stop_after_attempt

from ...errors import PlanChanged
from ...store import plans
from .planner import plan_event

if TYPE_CHECKING:
    from ...environment import Environment
    from ...model.plan import Plan
    from ...store.cascades import Held
    from ...store.events import Claim
    from ...store.plans import StoredPlan
    from .selection import Terms

_ATTEMPTS = 100


class _DerivationArrived(Exception):
    """A derivation joined the event after its cascade was read for planning."""


def plan_and_write(env: Environment, claim: Claim, terms: Terms, expect: str | None) -> Plan:
    """Plan what the event holds and write the plan; again, when a derivation came in between.

    Raises `PlanChanged` when the plan is not the one expected, or when derivations keep coming.
    """
    try:
        return _plan_and_write(env, claim, terms, expect)
    except _DerivationArrived as error:
        raise PlanChanged(f"derivations keep being added to event {claim.event_id}; resume it later") from error


@retry(retry=retry_if_exception_type(_DerivationArrived), stop=stop_after_attempt(_ATTEMPTS), reraise=True)
def _plan_and_write(env: Environment, claim: Claim, terms: Terms, expect: str | None) -> Plan:
    plan, held = env.db.read(plan_event, env, claim.event_id, terms)
    if expect is not None and plan.plan_id != expect:
        raise PlanChanged(
            f"behind the barrier the plan is {plan.plan_id}, not the one expected; event {claim.event_id} stays "
            "withdrawn: look at it with status, and resume it to carry this plan out"
        )
    try:
        write_plan(env, claim, plan, held)
    except PlanChanged as error:
        raise _DerivationArrived from error
    return plan


def write_plan(env: Environment, claim: Claim, plan: Plan, held: Held) -> None:
    """Write a plan on AFFECTS, and declare it written; raises `PlanChanged` when a derivation came in between."""
    written = 0
    for part in plans.batches(plan, held.replaced, {id_: key for key, id_ in held.cascade.roots}, env.batch):
        env.progress("plan", written, len(plan.cascade))
        env.db.write(plans.write_columns, env.space, claim, part)
        written += len(part.ids)
    env.db.write(plans.complete, env.space, claim, plan, held.arrivals)


def require_expected(stored: StoredPlan, event_id: str, expect: str | None) -> None:
    """Raise `PlanChanged` when an event that was opened before has another plan than the one expected."""
    if expect is not None and stored.plan_id != expect:
        raise PlanChanged(f"event {event_id} has its plan already, {stored.plan_id}, and not the one expected")
