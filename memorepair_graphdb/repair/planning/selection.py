"""Selects the candidates that are worth their cost: the smallest predecessor-closed set that maximises Σw − λΣc.

The decision is made on integers; floats are only for people to read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import BadInput
from ...model.arguments import BudgetLike, TradeoffLike
from ...solver.closure import Topology, maximum_closure, within_budget
from .scale import BUDGET_ROOM, Scaled, fit_profits, fit_ratio, profits, reduced, scaled

_DECIMAL = re.compile(r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_LONGEST = 400
"""The most characters, and the largest exponent, of λ: enough for any double."""


Figures = Sequence[float] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """λ: as written, and exactly."""

    text: str
    ratio: Fraction

    @classmethod
    def read(cls, written: TradeoffLike) -> Tradeoff:
        """Read the decimal as written (a float by its shortest form); raises `BadInput` unless it is one, and ≥ 0."""
        result = _as_decimal(written)
        if result is None:
            raise BadInput(f"the tradeoff λ is a decimal number, 0 or more, such as 0.3; not {repr(written)[:40]}")
        return cls(*result)


@dataclass(frozen=True, slots=True)
class Budget:
    """β: the most that the selected candidates may cost together, as written, and exactly."""

    text: str
    amount: Fraction
    """tokens, or a share of what Repair all costs"""
    share: bool

    @classmethod
    def read(cls, written: BudgetLike | None) -> Budget | None:
        """Read a number of tokens, or such as "50%"; None is no budget. Raises `BadInput` for what is neither."""
        if written is None:
            return None
        share = isinstance(written, str) and written.strip().endswith("%")
        result = _as_decimal(written.strip().removesuffix("%") if isinstance(written, str) else written)
        if result is None:
            raise BadInput(f"a budget is a number of tokens, 0 or more, or such as 50%; not {written!r}")
        text, number = result
        return cls(f"{text}%" if share else text, number / 100 if share else number, share)

    def limit(self, costs: Scaled, executable: Sequence[bool]) -> int:
        """Return the budget in units of the scale, rounded down."""
        if not self.share:
            return int(self.amount / costs.unit)
        return int(self.amount * sum(cost for cost, can in zip(costs.whole, executable, strict=True) if can))


def _as_decimal(written: object) -> tuple[str, Fraction] | None:
    """Return a decimal ≥ 0 as written (a float by its shortest form), and exactly; None for what is none."""
    if isinstance(written, bool) or not isinstance(written, str | int | float | Decimal):
        return None
    text = float.__repr__(written) if isinstance(written, float) else str(written)
    if not _DECIMAL.fullmatch(text) or len(text) > _LONGEST or abs(Decimal(text).adjusted()) > _LONGEST:
        return None
    return text, Fraction(Decimal(text))


@dataclass(frozen=True, slots=True)
class Terms:
    """What a plan is to be made with, checked, as text; None is for what the event remembers."""

    tradeoff: str | None = None
    budget: str | None = None

    @classmethod
    def read(cls, tradeoff: TradeoffLike | None, budget: BudgetLike | None) -> Terms:
        """Raise `BadInput` for what is no λ or no budget, before anything is written for it."""
        most = Budget.read(budget)
        return cls(None if tradeoff is None else Tradeoff.read(tradeoff).text, None if most is None else most.text)

    def or_else(self, tradeoff: str | None, budget: str | None) -> Terms:
        """Return these terms, with what is remembered where they say nothing."""
        return Terms(self.tradeoff or tradeoff, self.budget or budget)


class Proof(NamedTuple):
    """How near a selection within a budget is to the best there can be; figures in multiples of the mean value."""

    net: float
    """Σw − λΣc of it"""
    bound: float
    """no selection within the budget has more"""
    gap: float
    """(bound − net) / bound"""
    status: str
    """`optimal`; `gap`: as near as was asked; or `time_limit`: the best found in time"""


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """What was chosen, on which scale, and how exactly."""

    chosen: NDArray[np.bool_]
    """bool[n]: x"""
    profit: NDArray[np.int64]
    """int64[n]: the integers decided on, w − λc in units of `resolution`; 0 where not executable"""
    gain: NDArray[np.float64]
    """float64[n]: w / mean w − λ · c / mean c, for a person to read"""
    value_mean: float
    cost_mean: float
    """the scale: what w and c were divided by"""
    resolution: float
    """0.0 when the figures are exact; else the unit they were rounded to, in multiples of the mean value"""
    seconds: float
    """wall time"""
    kernel: int = 0
    """candidates that were left to the max-flow once what is certain was settled"""
    proof: Proof | None = None
    """None without a budget: the selection is the optimum"""


def select(
    value: Figures,
    cost: Figures,
    tradeoff: Tradeoff,
    requires: NDArray[np.int64] | Topology,
    executable: NDArray[np.bool_],
    *,
    value_mean: float | None = None,
    cost_mean: float | None = None,
    budget: Budget | None = None,
) -> Selection:
    """Select among D⁺: the smallest optimum of Σw − λΣc, both divided by their means (paper section 2.4).

    `value` and `cost` are the n raw figures ≥ 0, in the caller's units and in tokens, each read as the decimal that
    it prints as; `requires` as for `maximum_closure`; `executable` bool[n]: only these can be chosen.
    The means are over all n, 1 where that is 0; or given: the scale of an earlier plan. With a `budget` that the
    optimum does not fit, the best closed selection found within it, with the bound that proves how good it is.
    Raises `BadInput` for a figure that is negative or not finite, figures of unequal number, or a mean that is not
    positive.
    """
    started = perf_counter()
    if not len(value) == len(cost) == len(executable):
        raise BadInput(f"{len(value)} values, {len(cost)} costs and {len(executable)} flags: one each for a candidate")
    can = executable.tolist()
    values, costs = scaled(value, value_mean, "value"), scaled(cost, cost_mean, "cost")
    exact, per_unit = profits(values, costs, tradeoff.ratio, can)
    profit, shift = fit_profits(exact)
    resolution = float(2**shift / per_unit) if shift else 0.0
    kernels = [0]
    chosen = maximum_closure(profit, requires, ~executable, observe=kernels.append)
    proof = None
    if budget is not None:
        limit, bound, status = budget.limit(costs, can), 0.0, "optimal"
        if _sum(chosen, costs.whole) > limit:
            chosen, bound, status, coarse = _within(values, costs, tradeoff.ratio, requires, ~executable, limit)
            resolution = max(resolution, coarse)
        net = float(_sum(chosen, exact) / per_unit)
        bound = max(bound, net)
        proof = Proof(net, bound, (bound - net) / bound if bound > 0 else 0.0, status)
    means = float(values.unit * values.mean), float(costs.unit * costs.mean)
    gain = np.asarray(value, dtype=np.float64) / means[0]
    gain -= float(tradeoff.ratio) * np.asarray(cost, dtype=np.float64) / means[1]
    return Selection(chosen, profit, gain, *means, resolution, perf_counter() - started, max(kernels), proof)


def _within(
    values: Scaled,
    costs: Scaled,
    ratio: Fraction,
    requires: NDArray[np.int64] | Topology,
    barred: NDArray[np.bool_],
    limit: int,
) -> tuple[NDArray[np.bool_], float, str, float]:
    """Return the best choice found within `limit`.

    That is bool[n], its bound in mean values, its status, and the unit of rounded figures.
    """
    worth, coarser = reduced(values.whole, BUDGET_ROOM)
    price, dearer = reduced(costs.whole, BUDGET_ROOM)
    wanted = ratio * values.mean / costs.mean * Fraction(2**dearer, 2**coarser)
    used = fit_ratio(wanted, int(worth.sum()), int(price.sum()))
    result = within_budget(worth, price, requires, limit >> dearer, barred, tradeoff=used)
    unit = Fraction(2**coarser) / values.mean
    off = abs(used - wanted) * int(price.sum())
    resolution = max(unit if coarser else 0, unit * used if dearer else 0, unit * off)
    return result.chosen, float(result.bound * unit), result.status, float(resolution)


def _sum(chosen: NDArray[np.bool_], figures: Sequence[int]) -> int:
    return sum(figures[index] for index in np.flatnonzero(chosen).tolist())
