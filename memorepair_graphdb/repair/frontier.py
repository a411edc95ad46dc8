"""Traces what every λ would select of an event, before or after it is paid for (paper section 2.4). Writes nothing.

An event that has its plan is judged by it, else by the plan it would get.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..model.frontier import FrontierPoint, FrontierReport, Threshold
from ..model.vocabulary import EventStatus
from ..solver.closure import FIGURE_LIMIT, Frontier, frontier
from ..store import plans
from .pipeline import preview
from .planning.plan import needs_of
from .planning.planner import DEFAULT_TRADEOFF, plan_event
from .planning.scale import reduced, scaled
from .planning.selection import Tradeoff

if TYPE_CHECKING:
    from ..environment import Environment
    from ..model.event import RepairEvent
    from ..model.plan import Candidate
    from .planning.selection import Terms

KNEES = 10
"""Points that are enough to show the shape of a curve."""


def frontier_of_event(env: Environment, event: RepairEvent | str, terms: Terms) -> FrontierReport:
    """Trace the frontier of an event; λ of the terms is the one that is marked. Raises `NotFound`, `BadInput`."""
    if not isinstance(event, str):
        plan = preview(env, event, terms)
        return trace_frontier(None, plan.tradeoff, plan.candidates, plan.value_mean, plan.cost_mean)
    drawn = env.db.read(plans.drawn, env.space, event)
    marked = terms.or_else(drawn.tradeoff or DEFAULT_TRADEOFF, None)
    if drawn.status is not EventStatus.WITHDRAWN:
        return trace_frontier(event, str(marked.tradeoff), drawn.candidates, drawn.value_mean, drawn.cost_mean)
    plan, _ = env.db.read(plan_event, env, event, marked)
    return trace_frontier(event, plan.tradeoff, plan.candidates, plan.value_mean, plan.cost_mean)


def trace_frontier(
    event_id: str | None, tradeoff: str, candidates: Sequence[Candidate], value_mean: float, cost_mean: float
) -> FrontierReport:
    """Return the frontier of candidates on the scale of these means."""
    values = scaled([candidate.value for candidate in candidates], value_mean, "value")
    costs = scaled([candidate.cost for candidate in candidates], cost_mean, "cost")
    worth, coarser = reduced(values.whole, FIGURE_LIMIT)
    price, dearer = reduced(costs.whole, FIGURE_LIMIT)
    can = np.array([candidate.executable for candidate in candidates], dtype=np.bool_)
    ids = dict.fromkeys(candidate.id for candidate in candidates)
    # What a retry has made a removal since binds nothing any more.
    needs = needs_of(ids, ([i for i in candidate.predecessor_ids if i in ids] for candidate in candidates))
    traced = frontier(worth, price, needs, ~can)
    scale = Fraction(2**coarser, 2**dearer) * costs.mean / values.mean
    curve = [
        FrontierPoint(
            tradeoff=float(point.tradeoff * scale),
            value=float(point.value * 2**coarser * values.unit),
            cost=float(point.cost * 2**dearer * costs.unit),
            candidates=point.candidates,
        )
        for point in traced.curve()
    ]
    chosen = traced.at(Tradeoff.read(tradeoff).ratio / scale)
    exact = not (coarser or dearer)
    return FrontierReport(
        event_id=event_id,
        tradeoff=tradeoff,
        chosen=_point(float(tradeoff), candidates, chosen),
        everything=_point(0.0, candidates, can),
        points=tuple(curve),
        knees=tuple(curve[index] for index in knees([p.cost for p in curve], [p.value for p in curve], KNEES)),
        candidates=_thresholds(traced, scale, candidates),
        resolution=0.0 if exact else float(max(2**coarser / values.mean, 2**dearer / costs.mean)),
    )


def knees(cost: Sequence[float], value: Sequence[float], most: int) -> list[int]:
    """Return the points, at most so many, that best show a rising curve.

    They are its ends, then whatever lies farthest off a chord.
    """
    across, up = np.asarray(cost, dtype=np.float64), np.asarray(value, dtype=np.float64)
    corners = sorted({0, len(across) - 1}) if len(across) else []
    while len(corners) < min(most, len(across)):
        off, index = max(_farthest(across, up, left, right) for left, right in pairwise(corners))
        if off <= 0:
            break
        corners = sorted({*corners, index})
    return corners


def _farthest(across: NDArray[np.float64], up: NDArray[np.float64], left: int, right: int) -> tuple[float, int]:
    """Return how far the curve rises above the chord between two of its points, and where."""
    if right - left < 2:
        return 0.0, left
    run = across[right] - across[left]
    slope = (up[right] - up[left]) / run if run else 0.0
    above = up[left + 1 : right] - up[left] - slope * (across[left + 1 : right] - across[left])
    index = int(above.argmax())
    return float(above[index]), left + 1 + index


def _point(tradeoff: float, candidates: Sequence[Candidate], chosen: NDArray[np.bool_]) -> FrontierPoint:
    members = [candidates[index] for index in np.flatnonzero(chosen).tolist()]
    return FrontierPoint(
        tradeoff=tradeoff,
        value=sum(member.value for member in members),
        cost=sum(member.cost for member in members),
        candidates=len(members),
    )


def _thresholds(traced: Frontier, scale: Fraction, candidates: Sequence[Candidate]) -> tuple[Threshold, ...]:
    rows: list[tuple[Any, Threshold]] = []
    for index, candidate in enumerate(candidates):
        largest = traced.tradeoff(index)
        always = largest == inf
        shown = None if largest is None or always else float(Fraction(largest) * scale)
        rank = -inf if always else inf if shown is None else -shown
        row = Threshold(
            key=candidate.key,
            id=candidate.id,
            value=candidate.value,
            cost=candidate.cost,
            tradeoff=shown,
            always=always,
        )
        rows.append(((rank, candidate.key, candidate.id), row))
    return tuple(row for _, row in sorted(rows, key=lambda pair: pair[0]))
