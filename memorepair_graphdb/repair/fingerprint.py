"""The plan's id: two SHA-256 joined by a dot, one of what is affected, one of what would be done about it.

The law of the room: no event id, no actor, no time, and no order of input; what a run makes anew (the id of a
replacement) is left out, so that a preview and the repair after it agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ..model.cascade import Cascade, Influence
from ..model.content import canonical_json
from ..model.event import EventType
from ..model.outcome import Standing
from ..model.plan import Candidate, Removed
from ..operators.registry import Operator


def scope_fingerprint(type_: EventType, delta: str, cascade: Cascade) -> str:
    """SHA-256, hex, of type, Δ, roots, and the cascade's ids and edges: what is compared inside the barrier."""
    return _digest(
        {
            "type": type_.value,
            "delta": delta,
            "roots": sorted(cascade.roots),
            "affected": sorted(artifact.id for artifact in cascade.affected),
            "edges": sorted(_edge(edge) for edge in cascade.influences),
        }
    )


def choice_fingerprint(
    candidates: Iterable[Candidate],
    removed: Iterable[Removed],
    tradeoff: Fraction,
    operators: Iterable[Operator],
    embedder: str | None,
    budget: str | None = None,
) -> str:
    """SHA-256, hex, of candidates, selection, λ, budget, the operators that were found and the embedder's version."""
    return _digest(
        {
            "candidates": sorted(_candidate(candidate) for candidate in candidates),
            "removed": sorted(artifact.id for artifact in removed),
            "tradeoff": [str(tradeoff.numerator), str(tradeoff.denominator)],
            "budget": budget,
            "operators": sorted([operator.name, operator.mode, operator.support] for operator in operators),
            "embedder": embedder,
        }
    )


def plan_id(scope: str, choice: str) -> str:
    """Both fingerprints, joined by a dot."""
    return f"{scope}.{choice}"


def scope_of(plan: str) -> str:
    """The first fingerprint of a plan id: what the barrier compares."""
    return plan.partition(".")[0]


def _edge(edge: Influence) -> tuple[str, ...]:
    """Without the id of a replacement, which is made anew; no role is the empty string, as a role never is."""
    source = "" if edge.standing is Standing.REPLACED else edge.source
    return edge.target, source, edge.source_key, edge.role or "", str(edge.required), edge.standing.value


def _candidate(candidate: Candidate) -> list[Any]:
    """Without its supports: the edges say them, and they may name a replacement."""
    return [
        candidate.id,
        candidate.mode.value,
        candidate.operator or "",
        list(candidate.predecessor_ids),
        candidate.executable,
        candidate.selected,
        repr(candidate.value),
        repr(candidate.cost),
    ]


def _digest(parts: dict[str, Any]) -> str:
    return hashlib.sha256(canonical_json(parts).encode("utf-8")).hexdigest()
