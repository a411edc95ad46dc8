"""What a worker of a repair event does, reduced to its writes: claim, plan, stage, publish, settle, close.

The statements are the project's; nothing is built or validated, so that a round is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import uuid4

from memorepair_graphdb.model.content import content_hash
from memorepair_graphdb.store import barrier, cascades, events, plans, publication
from memorepair_graphdb.store.errors import raise_if_refused
from memorepair_graphdb.store.queries import query

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from neo4j import ManagedTransaction

    from memorepair_graphdb.model.cascade import Affected
    from memorepair_graphdb.model.event import RepairEvent
    from memorepair_graphdb.store.cascades import Held
    from memorepair_graphdb.store.events import Claim
    from memorepair_graphdb.store.queries import Query
    from tests.races.arena import Arena, Ground

LEASE = 600

Run: TypeAlias = "Callable[..., Any]"
"""Runs a unit of work: `arena.write`, each in a transaction of its own, or `within` one."""


def within(tx: ManagedTransaction) -> Run:
    """All steps in one transaction: for preparing a round. It may take several stripes, so never use it in a race."""
    return lambda work, *args: work(tx, *args)


def begin(tx: ManagedTransaction, ground: Ground, event: RepairEvent, rebuild: Collection[str], owner: str) -> Claim:
    """Withdraw, claim and plan in one go: the keys in `rebuild` are selected, the rest is left unrepaired."""
    barrier.withdraw(tx, ground.space, event, ground.tombstone_key)
    claimed = events.claim(tx, ground.space, event.id, owner, "", LEASE)
    plan(within(tx), ground, claimed, rebuild)
    return claimed


def plan(run: Run, ground: Ground, claimed: Claim, rebuild: Collection[str] | None) -> dict[str, str]:
    """Plan what the event holds (all of it to be rebuilt with None); returns key → id of what is to be built."""
    held = run(cascades.of_event, ground.space, claimed.event_id)
    found = list(held.cascade.affected)
    selected = [not one.root and (rebuild is None or one.key in rebuild) for one in found]
    taken = run(plans.write_columns, ground.space, claimed, _columns(held, found, selected))
    run(_complete, ground.space, claimed, held.arrivals)
    return {one.key: one.id for one, x in zip(found, selected, strict=True) if x and one.id not in taken}


def _complete(tx: ManagedTransaction, space: str, claimed: Claim, arrivals: int) -> None:
    about: dict[str, Any] = {"plan_id": "p", "tradeoff": "0.3", "budget": None, "value_mean": 1.0, "cost_mean": 1.0}
    about |= {"factor_operators": [], "factors": []}
    event = {"space": space, "event_id": claimed.event_id, "attempt": claimed.attempt, "arrivals": arrivals}
    raise_if_refused(query("repair/plan_done").one(tx, **event, **about))


def _columns(held: Held, found: Sequence[Affected], selected: list[bool]) -> plans.AffectsColumns:
    count = len(found)
    return plans.AffectsColumns(
        ids=[one.id for one in found],
        modes=["regen" if x else "remove" for x in selected],
        operators=["digest@1"] * count,
        values=[1.0] * count,
        costs=[1.0] * count,
        executable=selected,
        selected=selected,
        outcomes=["replaced" if one.id in held.replaced else "removed" if one.root else "pending" for one in found],
        reasons=[""] * count,
        predecessors=[None] * count,
        supports=[None] * count,
        levels=[0] * count,
    )


def successor(old: str, claimed: Claim, supports: Sequence[str]) -> dict[str, Any]:
    """A row for stage; its id tells the attempt."""
    content = f"{old} again, by attempt {claimed.attempt} of {claimed.event_id}"
    return {
        "id": f"{uuid4().hex}_{claimed.attempt}",
        "old": old,
        "content": content,
        "blob": None,
        "content_hash": content_hash(content),
        "embedding": None,
        "metadata": None,
        "checks": "[]",
        "spent": 1.0,
        "supports": [{"id": support, "role": None, "required": None} for support in supports],
    }


def reference(row: dict[str, Any]) -> dict[str, Any]:
    """The row for publish of a staged one."""
    return {"id": row["id"], "old": row["old"], "content_hash": row["content_hash"], "supports": len(row["supports"])}


def publish_by(statement: Query) -> Callable[[ManagedTransaction, str, Claim, Sequence[dict[str, Any]]], None]:
    """What `publication.publish` does, with another statement."""

    def publish(tx: ManagedTransaction, space: str, claimed: Claim, rows: Sequence[dict[str, Any]]) -> None:
        row = statement.one(tx, space=space, event_id=claimed.event_id, attempt=claimed.attempt, rows=list(rows))
        publication.raise_if_offended(row)

    return publish


def without_offenders(
    arena: Arena, call: Callable[..., None], ground: Ground, claimed: Claim, rows: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Call until the graph takes what is left, as the project's worker does; returns that."""
    while rows:
        try:
            arena.write(call, ground.space, claimed, rows)
        except publication.Offended as refusal:
            rows = [row for row in rows if row["old"] not in refusal.offenders]
        else:
            break
    return rows


def finish(run: Run, ground: Ground, claimed: Claim) -> None:
    """Whatever is pending ends in conflict, and the event closes."""
    left = run(plans.stored, ground.space, claimed.event_id)
    ids = [*(one.id for one in left.selected), *left.removed, *left.others]
    rows = [{"id": id_, "outcome": "conflict", "reason": "", "checks": None, "spent": 0.0} for id_ in ids]
    run(publication.outcomes, ground.space, claimed, rows)
    run(publication.close, ground.space, claimed)
