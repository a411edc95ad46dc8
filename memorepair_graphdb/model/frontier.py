"""Holds the frontier over λ: what a cheaper or dearer repair of an event would bring back.

Values and costs are in the caller's units and in tokens; λ is on the scale that plans use.
"""

from __future__ import annotations

from .frozen import Frozen


class FrontierPoint(Frozen):
    """The largest selection that pays at this λ, and at every smaller one down to the next point's."""

    tradeoff: float
    """λ, the breakpoint"""
    value: float
    """Σ w, in the caller's units"""
    cost: float
    """Σ c, in tokens"""
    candidates: int
    """how many are selected"""


class Threshold(Frozen):
    """The largest λ at which a candidate is worth repairing."""

    key: str
    id: str
    value: float
    cost: float
    tradeoff: float | None
    """λ*; None where no λ selects it, or every one does"""
    always: bool = False
    """selected at every λ: it and all that it needs cost nothing"""


class FrontierReport(Frozen):
    """Every optimal selection of an event, nested, from the dearest λ to 0."""

    event_id: str | None
    """None for an event that was not opened"""
    tradeoff: str
    """λ that is marked: the event's own, or the one asked for"""
    chosen: FrontierPoint
    """what is selected at that λ: the smallest optimum, as a plan has it"""
    everything: FrontierPoint
    """Repair all: whatever can be executed, at whatever cost (its λ is 0)"""
    points: tuple[FrontierPoint, ...]
    """the breakpoints, λ falling"""
    knees: tuple[FrontierPoint, ...]
    """the few points that show the shape of the curve, λ falling"""
    candidates: tuple[Threshold, ...]
    """sorted by λ* falling, then key; what can never be selected comes last"""
    resolution: float = 0.0
    """0 where figures were taken exactly; else the unit they were rounded to, in multiples of their mean"""
