"""Computes the plan's id: two SHA-256 joined by a dot, one of what is affected, one of what would be done about it.

Event id, actor, time, order of input and what a run makes anew (the id of a replacement) are left out, so that a
preview and the repair after it agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from fractions import Fraction
from json.encoder import encode_basestring as _text
from operator import add

import numpy as np

from ...model.cascade import REQUIRED, Cascade
from ...model.content import canonical_json
from ...model.plan import Candidates, Removed
from ...model.vocabulary import EventType, Mode, Standing
from ...operators.protocol.registry import Operator


def scope_fingerprint(type_: EventType, delta: str, cascade: Cascade) -> str:
    """SHA-256, hex, of type, Δ, roots, and the cascade's ids and edges: what is compared inside the barrier."""
    roots = [id_ for _, id_ in cascade.roots]
    return _digest(
        type=_text(type_.value),
        delta=_text(delta),
        roots=_listed(map(_text, sorted(roots))),
        affected=_listed(map(_text, sorted([*cascade.descendants.ids, *roots]))),
        edges=_listed(_edges(cascade)),
    )


def choice_fingerprint(
    candidates: Candidates,
    removed: Iterable[Removed],
    tradeoff: Fraction,
    operators: Iterable[Operator],
    embedder: str | None,
    budget: str | None = None,
) -> str:
    """SHA-256, hex, of candidates, selection, λ, budget, the operators that were found and the embedder's version."""
    return _digest(
        candidates=_listed(_candidates(candidates)),
        removed=canonical_json(sorted(artifact.id for artifact in removed)),
        tradeoff=canonical_json([str(tradeoff.numerator), str(tradeoff.denominator)]),
        budget=canonical_json(budget),
        operators=canonical_json(sorted([operator.name, operator.mode, operator.support] for operator in operators)),
        embedder=canonical_json(embedder),
    )


def plan_id(scope: str, choice: str) -> str:
    """Both fingerprints, joined by a dot."""
    return f"{scope}.{choice}"


def scope_of(plan: str) -> str:
    """Return the first fingerprint of a plan id: what the barrier compares."""
    return plan.partition(".")[0]


def _edges(cascade: Cascade) -> Iterator[str]:
    """Return each edge as a list: target, source, its key, role, need, standing; sorted. No role is the empty string.

    Without the id of a replacement, which is made anew.
    """
    all_, edges = cascade.descendants, cascade.influences
    ids = [*all_.ids, *("" if source.standing is Standing.REPLACED else source.id for source in edges.outside)]
    keys = [*all_.keys, *(source.key for source in edges.outside)]
    standings = [Standing.AFFECTED, *(source.standing for source in edges.outside)]
    rank = np.empty(len(ids), np.int64)
    rank[sorted(sorted(range(len(ids)), key=keys.__getitem__), key=ids.__getitem__)] = np.arange(len(ids))
    said = [f"{_text(role or '')},{_text(str(need))}" for role in edges.roles for need in REQUIRED]
    how = edges.role * len(REQUIRED) + edges.required  # in the order of what is said
    order = np.lexsort((how, rank[edges.source], rank[edges.target]))
    pairs, pair = np.unique(edges.source * len(said) + how, return_inverse=True)
    stands = [_text(standing) for standing in standings]
    stand = np.maximum(0, pairs // max(1, len(said)) - len(all_.ids) + 1).tolist()
    columns = zip(*(part.tolist() for part in np.divmod(pairs, max(1, len(said)))), stand, strict=True)
    ends = [f"{_text(ids[source])},{_text(keys[source])},{said[need]},{stands[how]}]" for source, need, how in columns]
    begins = [f"[{_text(id_)}," for id_ in all_.ids]
    targets, tails = edges.target[order].tolist(), pair[order].tolist()
    return map(add, map(begins.__getitem__, targets), map(ends.__getitem__, tails))


def _candidates(candidates: Candidates) -> Iterator[str]:
    """Each candidate as a list, by id; without its supports: the edges say them, and they may name a replacement."""
    ids = list(map(_text, candidates.id))
    modes = {mode: _text(mode.value) for mode in Mode}
    operators = {name: _text(name or "") for name in dict.fromkeys(candidates.operator)}
    flag = {True: "true", False: "false"}
    for index in sorted(range(len(candidates)), key=candidates.id.__getitem__):
        needs = ",".join([ids[need] for need in candidates.needs[index]])
        kind = f"{modes[candidates.mode[index]]},{operators[candidates.operator[index]]}"
        flags = f"{flag[candidates.executable[index]]},{flag[candidates.selected[index]]}"
        figures = f'"{candidates.value[index]!r}","{candidates.cost[index]!r}"'
        yield f"[{ids[index]},{kind},[{needs}],{flags},{figures}]"


def _listed(items: Iterable[str]) -> str:
    return f"[{','.join(items)}]"


def _digest(**parts: str) -> str:
    """SHA-256 of the canonical JSON of an object whose members are given as JSON."""
    text = ",".join(f'"{name}":{parts[name]}' for name in sorted(parts))
    return hashlib.sha256(f"{{{text}}}".encode()).hexdigest()
