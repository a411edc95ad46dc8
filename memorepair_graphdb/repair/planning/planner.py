"""Plans what the graph holds: reads a cascade with its estimates and refusals, and makes its plan. Writes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...store import cascades
from .estimates import estimator, factors
from .faults import with_broken_json
from .plan import plan
from .quotations import read_quotations
from .refusals import contracts_in_force, find_refusals
from .sizes import SizeReader

if TYPE_CHECKING:
    from ...environment import Environment
    from ...model.plan import Plan
    from ...store.cascades import Held
    from ...store.transactions import Tx
    from .selection import Terms

DEFAULT_TRADEOFF = "0.3"
"""λ, where neither the caller nor the event says another"""


def plan_event(tx: Tx, env: Environment, event_id: str, terms: Terms) -> tuple[Plan, Held]:
    """Plan an event behind its barrier; returns what the plan was made of beside it. Raises `NotFound`."""
    held = cascades.of_event(tx, env.space, event_id)
    return plan_cascade(tx, env, held, terms), held


def plan_cascade(tx: Tx, env: Environment, held: Held, terms: Terms) -> Plan:
    """Plan a cascade as it was read, before or behind its barrier."""
    learned = factors(tx, env.space)
    contracts = contracts_in_force(tx, env.space, held)
    sizes = SizeReader(tx, env.space)
    held = replace(held, cascade=with_broken_json(held.cascade, sizes))
    quotations = read_quotations(tx, env.space, held, env.registry, contracts, sizes)
    return plan(
        held.cascade,
        event=held.event,
        delta=held.delta,
        replaced=held.replaced,
        operators=env.registry,
        tradeoff=terms.tradeoff or DEFAULT_TRADEOFF,
        budget=terms.budget,
        estimate=estimator(held.cascade, learned, sizes),
        embedder=env.embedder_version,
        without_embeddings=env.without_embeddings,
        objections=quotations | find_refusals(held.cascade, env.registry, contracts, sizes),
        factors=learned,
    )


def unknown_operators(tx: Tx, env: Environment, event_id: str) -> tuple[str, ...]:
    """Return the operators that the event needs and that cannot run here: not registered, or lacking what they need."""
    names = cascades.of_event(tx, env.space, event_id).cascade.operators
    return tuple(sorted(name for name in names if not env.registry.able(name)))
