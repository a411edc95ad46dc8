"""Takes the whole cascade out of service before anything is repaired: step 1 (paper section 3.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt

from ..errors import OutcomeUnknown, PlanChanged
from ..store import barrier, cascades, events
from .corrections import compare
from .planning.fingerprint import scope_fingerprint, scope_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..environment import Environment
    from ..model.event import RepairEvent
    from ..store.barrier import RootChange, Withdrawal
    from ..store.transactions import Tx


def withdraw(
    env: Environment,
    event: RepairEvent,
    expect: str | None = None,
    tradeoff: str | None = None,
    budget: str | None = None,
) -> Withdrawal:
    """Withdraw C(F), and return when that is committed.

    With `expect`, a plan id, raises `PlanChanged` when the cascade is not the one previewed; nothing is written then.

    `tradeoff` and `budget` are what is going to be planned with: noted in the same commit, for whoever has to resume.
    """
    changes = compare(env, event)
    # The same event with the same request changes nothing, so asking again tells what became of an unknown commit.
    tries = Retrying(retry=retry_if_exception_type(OutcomeUnknown), stop=stop_after_attempt(4), reraise=True)
    withdrawal: Withdrawal = tries(
        env.db.barrier, _withdraw, env.space, event, env.tombstone_key, changes, expect, tradeoff, budget
    )
    by_an_earlier_try = withdrawal.repeated and tries.statistics["attempt_number"] > 1
    return replace(withdrawal, repeated=False) if by_an_earlier_try else withdrawal


def _withdraw(
    tx: Tx,
    space: str,
    event: RepairEvent,
    tombstone_key: bytes,
    changes: Mapping[str, RootChange],
    expect: str | None,
    tradeoff: str | None,
    budget: str | None,
) -> Withdrawal:
    withdrawal = barrier.withdraw(tx, space, event, tombstone_key, changes)
    if tradeoff is not None and withdrawal.affected and not withdrawal.repeated:
        events.ask(tx, space, event.id, tradeoff, budget)
    if expect is not None and not withdrawal.repeated:
        held = cascades.of_event(tx, space, event.id)
        if scope_fingerprint(event.type, event.delta, held.cascade) != scope_of(expect):
            raise PlanChanged(
                "what the event affects has changed since the preview; nothing was written: preview again"
            )
    return withdrawal
