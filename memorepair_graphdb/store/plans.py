"""Writes plans into the graph, and reads back what of them is still to be done."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ..model.artifact import Arch, Kind
from ..model.plan import Candidate, Candidates, Plan
from ..model.vocabulary import EventStatus, Mode, Outcome
from .errors import raise_if_refused, require_event
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .events import Claim
    from .transactions import Tx

BATCH = 1000
"""The most artifacts that one transaction writes, so that a barrier does not wait long for its gates."""


@dataclass(frozen=True, slots=True)
class AffectsColumns:
    """AFFECTS edges, in columns; None, also of a list that is empty, is not stored."""

    ids: list[str]
    """of the affected artifacts"""
    modes: list[str]
    operators: list[str | None]
    values: Sequence[float | None]
    costs: Sequence[float | None]
    executable: list[bool]
    selected: list[bool]
    outcomes: list[str]
    reasons: list[str]
    predecessors: list[list[str] | None]
    supports: list[list[str] | None]
    levels: list[int]


_COLUMNS = query("repair/plan_columns")
_DONE = query("repair/plan_done")
_STORED = query("repair/stored_plan")
_DRAWN = query("repair/drawn_plan")
_LEARNED = query("repair/learned")


def batches(plan: Plan, replaced: frozenset[str], root_keys: Mapping[str, str], size: int) -> Iterator[AffectsColumns]:
    """Yield AFFECTS of each affected artifact, at most `size` at a time: roots, removed, candidates."""
    without_successor = [
        (root, Outcome.REPLACED, f"{root_keys[root]} has its replacement in service") for root in sorted(replaced)
    ]
    without_successor += [
        (removed.id, Outcome.REMOVED if removed.id in root_keys else Outcome.PENDING, removed.reason)
        for removed in plan.removed
    ]
    for start in range(0, len(without_successor), size):
        yield _columns_without_successor(without_successor[start : start + size])
    for start in range(0, len(plan.candidates), size):
        yield _columns_of_candidates(plan.candidates, start, min(start + size, len(plan.candidates)))


def _columns_without_successor(rows: Sequence[tuple[str, Outcome, str]]) -> AffectsColumns:
    """Return the columns of (id, outcome, reason)."""
    nothing: list[Any] = [None] * len(rows)
    return AffectsColumns(
        ids=[id_ for id_, _, _ in rows],
        modes=[str(Mode.REMOVE)] * len(rows),
        operators=nothing,
        values=nothing,
        costs=nothing,
        executable=[False] * len(rows),
        selected=[False] * len(rows),
        outcomes=[str(outcome) for _, outcome, _ in rows],
        reasons=[reason for _, _, reason in rows],
        predecessors=nothing,
        supports=nothing,
        levels=[0] * len(rows),
    )


def _columns_of_candidates(candidates: Candidates, start: int, stop: int) -> AffectsColumns:
    part, indexes = slice(start, stop), range(start, stop)
    return AffectsColumns(
        ids=candidates.id[part],
        modes=list(map(str, candidates.mode[part])),
        operators=candidates.operator[part],
        values=candidates.value[part],
        costs=candidates.cost[part],
        executable=candidates.executable[part],
        selected=candidates.selected[part],
        outcomes=[str(Outcome.PENDING)] * len(indexes),
        reasons=candidates.reason[part],
        predecessors=[candidates.predecessor_ids(index) or None for index in indexes],
        supports=[(candidates.selected[index] and candidates.support_ids[index]) or None for index in indexes],
        levels=candidates.level[part],
    )


def _columns_by_name(columns: AffectsColumns) -> dict[str, Any]:
    """Return the columns as parameters; `dataclasses.asdict` would copy every list."""
    return {field.name: getattr(columns, field.name) for field in fields(columns)}


def write_columns(tx: Tx, space: str, claimed: Claim, columns: AffectsColumns) -> tuple[str, ...]:
    """Write a batch of AFFECTS; returns the ids that a later event took meanwhile."""
    claim = {"space": space, "event_id": claimed.event_id, "attempt": claimed.attempt}
    row = raise_if_refused(_COLUMNS.one(tx, **claim, **_columns_by_name(columns)))
    return tuple(row["taken"])


def complete(tx: Tx, space: str, claimed: Claim, plan: Plan, arrivals: int) -> None:
    """Declare the plan written; raises `PlanChanged` when the event got a derivation since it was read."""
    raise_if_refused(
        _DONE.one(
            tx,
            space=space,
            event_id=claimed.event_id,
            attempt=claimed.attempt,
            arrivals=arrivals,
            plan_id=plan.plan_id,
            tradeoff=plan.tradeoff,
            budget=plan.budget,
            value_mean=plan.value_mean,
            cost_mean=plan.cost_mean,
            factor_operators=list(plan.factors),
            factors=list(plan.factors.values()),
        )
    )


def learned(tx: Tx, space: str, events: int) -> dict[str, list[tuple[float, int]]]:
    """Read, of the last so many closed events, by operator: the ratio spent / estimated of each event, and its runs."""
    row = _LEARNED.one(tx, space=space, events=events)
    ratios: dict[str, list[tuple[float, int]]] = {}
    for operator, runs, ratio in zip(row["operators"], row["runs"], row["ratios"], strict=True):
        ratios.setdefault(operator, []).append((ratio, runs))
    return ratios


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """The part of an event's plan that is still to be done: what is pending."""

    selected: tuple[Candidate, ...]
    """in an order that can be executed"""
    removed: tuple[str, ...]
    """ids of mode `remove`"""
    others: dict[str, Outcome]
    """id → outcome of those that were never to be built"""
    settled: dict[str, Outcome]
    """id → outcome of those that have one already, from before a crash"""
    plan_id: str | None
    """None before the first plan"""


def stored(tx: Tx, space: str, event_id: str) -> StoredPlan:
    """Read back what is pending of an event's plan; raises `NotFound`."""
    row = require_event(_STORED.first(tx, space=space, event_id=event_id), space, event_id)
    keys = dict(zip(row["ids"] + row["settled"], row["keys"] + row["settled_keys"], strict=True))
    selected, removed, others = [], [], {}
    for index, id_ in enumerate(row["ids"]):
        mode = Mode(row["modes"][index])
        if row["selected"][index]:
            selected.append(_candidate(row, index, mode, keys))
        elif mode is Mode.REMOVE:
            removed.append(id_)
        else:
            others[id_] = Outcome.NOT_SELECTED if row["executable"][index] else Outcome.NOT_EXECUTABLE
    selected.sort(key=lambda candidate: (candidate.level, candidate.key))
    outcomes = {id_: Outcome(outcome) for id_, outcome in zip(row["settled"], row["outcomes"], strict=True)}
    return StoredPlan(tuple(selected), tuple(removed), others, outcomes, row["plan_id"])


@dataclass(frozen=True, slots=True)
class StoredCandidates:
    """All candidates of an event's plan, whatever became of them, and the terms that it was made on."""

    candidates: tuple[Candidate, ...]
    status: EventStatus
    """`withdrawn` before there is a plan to be carried out"""
    tradeoff: str | None
    value_mean: float
    cost_mean: float


def drawn(tx: Tx, space: str, event_id: str) -> StoredCandidates:
    """Read a whole plan back; raises `NotFound`."""
    row = require_event(_DRAWN.first(tx, space=space, event_id=event_id), space, event_id)
    keys = dict(zip(row["ids"], row["keys"], strict=True))
    candidates = [_candidate(row, index, Mode(mode), keys) for index, mode in enumerate(row["modes"])]
    candidates.sort(key=lambda candidate: (candidate.level, candidate.key))
    return StoredCandidates(
        tuple(candidates),
        EventStatus(row["status"]),
        row["tradeoff"],
        row["value_mean"] or 1.0,
        row["cost_mean"] or 1.0,
    )


def _candidate(row: Any, index: int, mode: Mode, keys: dict[str, str]) -> Candidate:
    predecessors = tuple(row["predecessors"][index])
    return Candidate(
        key=row["keys"][index],
        id=row["ids"][index],
        kind=Kind(row["kinds"][index]),
        arch=Arch(row["archs"][index]) if row["archs"][index] else None,
        mode=mode,
        operator=row["operators"][index],
        predecessors=tuple(keys.get(id_, id_) for id_ in predecessors),
        executable=row["executable"][index],
        value=row["values"][index],
        cost=row["costs"][index],
        selected=row["selected"][index],
        reason=row["reasons"][index],
        predecessor_ids=predecessors,
        support_ids=tuple(row["supports"][index]),
        level=row["levels"][index],
    )
