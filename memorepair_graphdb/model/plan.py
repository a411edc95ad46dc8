"""A plan: a candidate for every affected artifact, and the selection among them; it has no effects.

The law of the room: what `preview` shows and `repair` does are this one value.
"""

from __future__ import annotations

from typing import Any

from .artifact import Arch, Kind
from .frozen import Frozen
from .outcome import Mode


class Candidate(Frozen):
    """q = (mode, operator, predecessors P, executable v, value w, cost c) of one non-removed descendant."""

    key: str
    id: str
    kind: Kind
    arch: Arch | None
    mode: Mode
    operator: str | None
    predecessors: tuple[str, ...]
    """keys of P, sorted"""
    executable: bool
    value: float
    """as given: the caller's units"""
    cost: float
    """as given or estimated: tokens"""
    selected: bool
    reason: str
    """why it is in or out, for a person"""
    predecessor_ids: tuple[str, ...] = ()
    """ids of P: the withdrawn versions whose successors the operator will consume"""
    support_ids: tuple[str, ...] = ()
    """ids of the sources in service that it will consume"""
    level: int = 0
    """0 where P is empty, else one more than the highest level in P"""


class Removed(Frozen):
    """An affected artifact that gets no successor: a deleted root, or a descendant of mode `remove`."""

    key: str
    reason: str
    id: str


class Choice(Frozen):
    """How the selection was made, and how good it is; in multiples of the mean value where nothing else is said."""

    seconds: float
    """wall time"""
    resolution: float = 0.0
    """0 where values and costs were taken exactly; else the unit they were rounded to"""
    kernel: int = 0
    """candidates that were left to the max-flow once what is certain was settled"""
    net: float = 0.0
    """Σw − λΣc"""
    bound: float = 0.0
    """no selection (within the budget, where there is one) has more: `net` itself where it is the optimum"""
    gap: float = 0.0
    """(bound − net) / bound"""
    status: str = "optimal"
    """`optimal`; `gap`: as near as was asked; or `time_limit`: the best found in time"""

    def __eq__(self, other: object) -> bool:
        """Equal but for the time it took: the same plan, made twice, is one plan."""
        return isinstance(other, Choice) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[Any, ...]:
        return self.resolution, self.kernel, self.net, self.bound, self.gap, self.status


class Plan(Frozen):
    """What a repair of the event would do, and why."""

    event: dict[str, Any]
    plan_id: str
    tradeoff: str
    """λ, the decimal as written"""
    cascade: tuple[str, ...]
    """keys of C(F), sorted"""
    value: float
    """Σ w of the selection"""
    cost: float
    """Σ c of the selection"""
    counts: dict[str, int]
    """affected descendants by mode"""
    removed: tuple[Removed, ...]
    candidates: tuple[Candidate, ...]
    """sorted by level, then key"""
    budget: str | None = None
    """β, the most that the selection may cost, as asked: tokens, or a share of Repair all"""
    choice: Choice = Choice(seconds=0.0)
    value_mean: float = 1.0
    cost_mean: float = 1.0
    """the scale: mean w and mean c over D⁺, 1 where the mean is 0"""

    @property
    def selected(self) -> tuple[Candidate, ...]:
        """The candidates with x = 1, in an order that can be executed."""
        return tuple(candidate for candidate in self.candidates if candidate.selected)
