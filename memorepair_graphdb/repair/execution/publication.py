"""Publishes what was validated, level by level, and writes a reason for what was not: step 6.

A call that the graph refuses is called again without its offenders, since the graph takes all of a call or none.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...environment import batches
from ...model.content import canonical_json, content_hash
from ...model.tombstone import tombstone_fields
from ...model.vocabulary import Outcome, VerdictState
from ...operators.protocol.context import INTERFACE
from ...operators.protocol.verdict import Verdict
from ...store import publication

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...environment import Environment
    from ...store.events import Claim
    from .rebuild import Rebuild

Call = Callable[..., None]

CONFLICT = "a later event took it, or something that it rests on, while it was rebuilt"
ERASED = "its operator wrote a text that was erased from this space, and does not come back unless that is forgiven"


def publish(env: Environment, claim: Claim, successors: Sequence[Rebuild]) -> tuple[set[str], list[Rebuild]]:
    """Stage and publish; returns the old ids that are succeeded, and the rebuilds that the graph refused, as failed."""
    succeeded: set[str] = set()
    refused: list[Rebuild] = []
    for part in batches(successors, env.batch):
        rows = {successor.id: _row(successor, claim, env.tombstone_key) for successor in part}
        staged, erased = _accepted(env, claim, publication.stage, rows)
        references = {id_: _reference(rows[id_]) for id_ in staged}
        published, erased_since = _accepted(env, claim, publication.publish, references)
        succeeded |= published
        for successor in part:
            if successor.id not in published:
                back = successor.id in erased | erased_since
                end = (Outcome.REJECTED, ERASED) if back else (Outcome.CONFLICT, CONFLICT)
                # What was staged has its tokens on the draft already.
                refused.append(successor.fail(*end, spent=0.0 if successor.id in staged else None))
    return succeeded, refused


def _accepted(env: Environment, claim: Claim, call: Call, rows: dict[str, dict[str, Any]]) -> tuple[set[str], set[str]]:
    """Call, and call again without the offenders, until the graph takes the rest.

    Returns the ids it took, and those that it refused for holding what was erased.
    """
    remaining, erased = dict(rows), set[str]()
    while remaining:
        try:
            env.db.write(call, env.space, claim, list(remaining.values()))
        except publication.Offended as refusal:
            for id_ in refusal.offenders:
                remaining.pop(id_, None)
            erased |= refusal.offenders if refusal.erased else set()
        else:
            break
    return set(remaining), erased


def write_outcomes(env: Environment, claim: Claim, failed: Sequence[Rebuild]) -> None:
    """Write down how those that failed ended."""
    for part in batches(failed, env.batch):
        rows = [
            {
                "id": rebuild.id,
                "outcome": str(rebuild.outcome),
                "reason": rebuild.ended.reason,
                "checks": _checks(rebuild.ended.checks) if rebuild.ended.checks else None,
                "spent": rebuild.ended.spent,
            }
            for rebuild in part
        ]
        env.db.write(publication.outcomes, env.space, claim, rows)


def close(
    env: Environment, claim: Claim, removed: Sequence[str], others: dict[str, tuple[Outcome, str | None]]
) -> None:
    """Retire what is removed, write down what was never to be built, and close the event."""
    for part in batches(sorted(removed), env.batch):
        env.db.write(publication.remove, env.space, claim, part)
    for ids in batches(sorted(others), env.batch):
        rows = [
            {"id": i, "outcome": str(others[i][0]), "reason": others[i][1], "checks": None, "spent": 0.0} for i in ids
        ]
        env.db.write(publication.outcomes, env.space, claim, rows)
    env.db.write(publication.close, env.space, claim)


def _row(successor: Rebuild, claim: Claim, tombstone_key: bytes) -> dict[str, Any]:
    payload, attempt = successor.payload, successor.ended
    hash_ = content_hash(payload.content, payload.blob)
    supports = {(supply.stands, supply.role): supply.required for supply in successor.supplies}
    known = {id_ for id_, _ in supports}
    for contract in attempt.read - known:
        supports[contract, INTERFACE] = None
    checks = (*_dropped(successor), *attempt.checks)
    return {
        "id": f"a_{uuid4().hex}_{claim.attempt}",
        "old": successor.id,
        "content": payload.content,
        "blob": payload.blob,
        "content_hash": hash_,
        **tombstone_fields(payload.content, hash_, tombstone_key),
        "embedding": list(successor.embedding) if successor.embedding else None,
        "metadata": None if successor.metadata is None else canonical_json(successor.metadata),
        "recipe": None if successor.cleared.recipe is None else canonical_json(successor.cleared.recipe),
        "checks": _checks(checks),
        "reason": _reason(successor, checks),
        "spent": attempt.spent,
        "supports": [{"id": i, "role": role, "required": needed} for (i, role), needed in supports.items()],
    }


def _reason(successor: Rebuild, checks: Sequence[Verdict]) -> str | None:
    """Return why it was selected with what checks that it passed say of it; None where they say nothing."""
    remarks = [verdict.reason for verdict in checks if verdict.reason and verdict.state is VerdictState.OK]
    return "; ".join([successor.candidate.reason, *remarks]) if remarks else None


def _dropped(successor: Rebuild) -> tuple[Verdict, ...]:
    """Return what is to be told of a recipe that lost the parts that quoted retracted text."""
    if not successor.cleared.dropped:
        return ()
    return (Verdict(True, "recipe", f"without {', '.join(successor.cleared.dropped)}, which quoted a retracted text"),)


def _reference(row: dict[str, Any]) -> dict[str, Any]:
    kept = {name: row[name] for name in ("id", "old", "content_hash", "tombstone", "identifies")}
    return {**kept, "supports": len(row["supports"])}


def _checks(verdicts: Sequence[Verdict]) -> str:
    shown = [
        {"check": verdict.check, "ok": verdict.ok, "verdict": verdict.state.value, "reason": verdict.reason}
        | {name: value for name, value in (("saw", verdict.saw), ("wanted", verdict.wanted)) if value}
        for verdict in verdicts
    ]
    return json.dumps(shown, ensure_ascii=False)
