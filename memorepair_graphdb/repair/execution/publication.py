"""Step 6: what was validated goes into service, level by level; what was not ends with a reason.

The law of the room: a call that the graph refuses is called again without its offenders, never in part.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from ...environment import batches
from ...model.content import canonical_json, content_hash
from ...model.vocabulary import Outcome
from ...operators.protocol.context import INTERFACE
from ...store import publication

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...environment import Environment
    from ...model.plan import Candidate
    from ...operators.execution.stage import Attempt
    from ...operators.protocol.payload import Payload
    from ...operators.protocol.verdict import Verdict
    from ...store.events import Claim
    from .contexts import Ready

Call = Callable[..., None]

CONFLICT = "a later event took it, or something that it rests on, while it was rebuilt"


class Successor(NamedTuple):
    """A validated payload that may be published."""

    ready: Ready
    payload: Payload
    attempt: Attempt
    embedding: tuple[float, ...] | None
    metadata: Any = None
    """what will go with it: the payload's own, or what it takes over from the version that it succeeds"""


class Ending(NamedTuple):
    """What became of a candidate that got no successor."""

    candidate: Candidate
    outcome: Outcome
    reason: str
    checks: tuple[Verdict, ...] = ()
    spent: float = 0.0

    @classmethod
    def of(cls, candidate: Candidate, attempt: Attempt) -> Ending:
        """From an attempt that failed."""
        assert attempt.outcome is not None  # noqa: S101 - a success is a Successor
        return cls(candidate, attempt.outcome, attempt.reason, attempt.checks, attempt.spent)


def publish(env: Environment, claimed: Claim, successors: Sequence[Successor]) -> tuple[set[str], list[Ending]]:
    """Stage and publish; returns the old ids that are succeeded, and the endings of those the graph refused."""
    done: set[str] = set()
    endings: list[Ending] = []
    for part in batches(successors, env.batch):
        rows = {successor.ready.candidate.id: _row(successor, claimed) for successor in part}
        staged = _accepted(env, claimed, publication.stage, rows)
        references = {id_: _reference(rows[id_]) for id_ in staged}
        published = _accepted(env, claimed, publication.publish, references)
        done |= published
        endings += [
            Ending(
                s.ready.candidate,
                Outcome.CONFLICT,
                CONFLICT,
                s.attempt.checks,
                0.0 if s.ready.candidate.id in staged else s.attempt.spent,
            )
            for s in part
            if s.ready.candidate.id not in published
        ]
    return done, endings


def _accepted(env: Environment, claimed: Claim, call: Call, rows: dict[str, dict[str, Any]]) -> set[str]:
    """Call, and call again without the offenders, until the graph takes the rest; returns the ids it took."""
    left = dict(rows)
    while left:
        try:
            env.db.write(call, env.space, claimed, list(left.values()))
        except publication.Offended as refusal:
            for id_ in refusal.offenders:
                left.pop(id_, None)
        else:
            break
    return set(left)


def settle(env: Environment, claimed: Claim, endings: Sequence[Ending]) -> None:
    """Write the endings down."""
    for part in batches(endings, env.batch):
        rows = [
            {
                "id": ending.candidate.id,
                "outcome": str(ending.outcome),
                "reason": ending.reason,
                "checks": _checks(ending.checks) if ending.checks else None,
                "spent": ending.spent,
            }
            for ending in part
        ]
        env.db.write(publication.outcomes, env.space, claimed, rows)


def close(
    env: Environment, claimed: Claim, removed: Sequence[str], others: dict[str, tuple[Outcome, str | None]]
) -> None:
    """Retire what is removed, write down what was never to be built, and close the event."""
    for part in batches(sorted(removed), env.batch):
        env.db.write(publication.remove, env.space, claimed, part)
    for ids in batches(sorted(others), env.batch):
        rows = [
            {"id": i, "outcome": str(others[i][0]), "reason": others[i][1], "checks": None, "spent": 0.0} for i in ids
        ]
        env.db.write(publication.outcomes, env.space, claimed, rows)
    env.db.write(publication.close, env.space, claimed)


def _row(successor: Successor, claimed: Claim) -> dict[str, Any]:
    payload, ready = successor.payload, successor.ready
    supports = {(supply.stands, supply.role): supply.required for supply in ready.material.supplies}
    known = {id_ for id_, _ in supports}
    for contract in successor.attempt.read - known:
        supports[contract, INTERFACE] = None
    return {
        "id": f"a_{uuid4().hex}_{claimed.attempt}",
        "old": ready.candidate.id,
        "content": payload.content,
        "blob": payload.blob,
        "content_hash": content_hash(payload.content, payload.blob),
        "embedding": list(successor.embedding) if successor.embedding else None,
        "metadata": None if successor.metadata is None else canonical_json(successor.metadata),
        "checks": _checks(successor.attempt.checks),
        "spent": successor.attempt.spent,
        "supports": [{"id": i, "role": role, "required": needed} for (i, role), needed in supports.items()],
    }


def _reference(row: dict[str, Any]) -> dict[str, Any]:
    return {"id": row["id"], "old": row["old"], "content_hash": row["content_hash"], "supports": len(row["supports"])}


def _checks(verdicts: Sequence[Verdict]) -> str:
    shown = [
        {"check": verdict.check, "ok": verdict.ok, "reason": verdict.reason}
        | {name: value for name, value in (("saw", verdict.saw), ("wanted", verdict.wanted)) if value}
        for verdict in verdicts
    ]
    return json.dumps(shown, ensure_ascii=False)
