"""Writes plans into the graph, and reads back what of them is still to be done.

The law of the room: at most `BATCH` artifacts a transaction, so that a barrier never waits long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

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
"""Artifacts in one transaction."""


class AffectsColumns(NamedTuple):
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


def batches(plan: Plan, replaced: frozenset[str], root_keys: Mapping[str, str]) -> Iterator[AffectsColumns]:
    """AFFECTS of each affected artifact, at most `BATCH` at a time: of the roots, the removed, the candidates."""
    ended = [(root, Outcome.REPLACED, f"{root_keys[root]} has its replacement in service") for root in sorted(replaced)]
    ended += [
        (gone.id, Outcome.REMOVED if gone.id in root_keys else Outcome.PENDING, gone.reason) for gone in plan.removed
    ]
    for start in range(0, len(ended), BATCH):
        yield _of_ended(ended[start : start + BATCH])
    for start in range(0, len(plan.candidates), BATCH):
        yield _of_candidates(plan.candidates, start, min(start + BATCH, len(plan.candidates)))


def _of_ended(ended: Sequence[tuple[str, Outcome, str]]) -> AffectsColumns:
    """What gets no successor: id, outcome, reason."""
    nothing: list[Any] = [None] * len(ended)
    return AffectsColumns(
        ids=[id_ for id_, _, _ in ended],
        modes=[str(Mode.REMOVE)] * len(ended),
        operators=nothing,
        values=nothing,
        costs=nothing,
        executable=[False] * len(ended),
        selected=[False] * len(ended),
        outcomes=[str(outcome) for _, outcome, _ in ended],
        reasons=[reason for _, _, reason in ended],
        predecessors=nothing,
        supports=nothing,
        levels=[0] * len(ended),
    )


def _of_candidates(found: Candidates, start: int, stop: int) -> AffectsColumns:
    part, places = slice(start, stop), range(start, stop)
    return AffectsColumns(
        ids=found.id[part],
        modes=list(map(str, found.mode[part])),
        operators=found.operator[part],
        values=found.value[part],
        costs=found.cost[part],
        executable=found.executable[part],
        selected=found.selected[part],
        outcomes=[str(Outcome.PENDING)] * len(places),
        reasons=found.reason[part],
        predecessors=[found.predecessor_ids(place) or None for place in places],
        supports=[(found.selected[place] and found.support_ids[place]) or None for place in places],
        levels=found.level[part],
    )


def write_columns(tx: Tx, space: str, claimed: Claim, columns: AffectsColumns) -> tuple[str, ...]:
    """Write a batch of AFFECTS; returns the ids that a later event took meanwhile."""
    about = {"space": space, "event_id": claimed.event_id, "attempt": claimed.attempt}
    row = raise_if_refused(_COLUMNS.one(tx, **about, **columns._asdict()))
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


def learned(tx: Tx, space: str, events: int) -> list[tuple[str, int, float, float]]:
    """Of the last so many closed events: operator, runs, tokens by its own estimate, tokens spent."""
    row = _LEARNED.one(tx, space=space, events=events)
    return list(zip(*(row[column] for column in ("operators", "runs", "estimated", "spent")), strict=True))


class StoredPlan:
    """The part of an event's plan that is still to be done: what is pending."""

    def __init__(
        self,
        selected: tuple[Candidate, ...],
        removed: tuple[str, ...],
        others: dict[str, Outcome],
        raise_if_refused: dict[str, Outcome],
        plan_id: str | None,
    ) -> None:
        self.selected = selected
        """in an order that can be executed"""
        self.removed = removed
        """ids of mode `remove`"""
        self.others = others
        """id → outcome of those that were never to be built"""
        self.settled = raise_if_refused
        """id → outcome of those that have one already, from before a crash"""
        self.plan_id = plan_id
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
    raise_if_refused = {id_: Outcome(outcome) for id_, outcome in zip(row["settled"], row["outcomes"], strict=True)}
    return StoredPlan(tuple(selected), tuple(removed), others, raise_if_refused, row["plan_id"])


class StoredCandidates(NamedTuple):
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
    found = [_candidate(row, index, Mode(mode), keys) for index, mode in enumerate(row["modes"])]
    found.sort(key=lambda candidate: (candidate.level, candidate.key))
    return StoredCandidates(
        tuple(found), EventStatus(row["status"]), row["tradeoff"], row["value_mean"] or 1.0, row["cost_mean"] or 1.0
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
