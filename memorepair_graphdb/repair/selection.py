"""Which candidates are worth their cost: the smallest predecessor-closed set that maximises Σw − λΣc.

The law of the room: the decision is made on integers; floats are only for people to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import gcd, isfinite, lcm
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from .closure import PROFIT_LIMIT, maximum_closure

_DECIMAL = re.compile(r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_LONGEST = 400
"""The most characters, and the largest exponent, of λ: enough for any double."""


class Tradeoff(NamedTuple):
    """λ: as written, and exactly."""

    text: str
    ratio: Fraction

    @classmethod
    def read(cls, given: str | int | float | Decimal) -> Tradeoff:
        """Read the decimal as written (a float by its shortest form); raises `BadInput` unless it is one, and ≥ 0."""
        if isinstance(given, bool) or not isinstance(given, str | int | float | Decimal):
            raise BadInput(f"the tradeoff λ is a decimal number, not {given!r}")
        text = float.__repr__(given) if isinstance(given, float) else str(given)
        if not _DECIMAL.fullmatch(text) or len(text) > _LONGEST or abs(Decimal(text).adjusted()) > _LONGEST:
            raise BadInput(f"the tradeoff λ is a decimal number, 0 or more, such as 0.3; not {text[:40]!r}")
        return cls(text, Fraction(Decimal(text)))


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
    """0.0 when the profits are exact; else the unit they were rounded to, in multiples of the mean value"""
    seconds: float
    """wall time"""


def select(
    value: Sequence[float],
    cost: Sequence[float],
    tradeoff: Tradeoff,
    requires: NDArray[np.int64],
    executable: NDArray[np.bool_],
    *,
    value_mean: float | None = None,
    cost_mean: float | None = None,
) -> Selection:
    """Select among D⁺: the smallest optimum of Σw − λΣc, both divided by their means (paper section 2.4).

    `value` and `cost` are the n raw figures ≥ 0, in the caller's units and in tokens, each read as the decimal that
    it prints as; `requires` int64[m, 2] as for `maximum_closure`; `executable` bool[n]: only these can be chosen.
    The means are over all n, 1 where that is 0; or given: the scale of an earlier plan. Raises `BadInput` for a figure
    that is negative or not finite, figures of unequal number, or a mean that is not positive.
    """
    started = perf_counter()
    if not len(value) == len(cost) == len(executable):
        raise BadInput(f"{len(value)} values, {len(cost)} costs and {len(executable)} flags: one each for a candidate")
    values, costs = _scaled(value, value_mean, "value"), _scaled(cost, cost_mean, "cost")
    exact, per_unit = _profits(values, costs, tradeoff.ratio, executable.tolist())
    profit, shift = _fitted(exact)
    chosen = maximum_closure(profit, requires, ~executable)
    means = float(values.unit * values.mean), float(costs.unit * costs.mean)
    gain = np.asarray(value, dtype=np.float64) / means[0]
    gain -= float(tradeoff.ratio) * np.asarray(cost, dtype=np.float64) / means[1]
    resolution = float(2**shift / per_unit) if shift else 0.0
    return Selection(chosen, profit, gain, *means, resolution, perf_counter() - started)


class _Scaled(NamedTuple):
    """Figures as integers: figure i is `unit · whole[i]`, and their mean `unit · mean`."""

    whole: list[int]
    unit: Fraction
    mean: Fraction


def _scaled(figures: Sequence[float], mean: float | None, name: str) -> _Scaled:
    whole, unit = _as_integers(figures, name)
    if mean is not None:
        return _Scaled(whole, unit, _as_written(mean, f"mean {name}") / unit)
    total = sum(whole)
    return _Scaled(whole, unit, Fraction(total, len(whole)) if total else 1 / unit)


def _as_integers(figures: Iterable[float], name: str) -> tuple[list[int], Fraction]:
    """The figures over their common denominator, without their common factor."""
    ratios: list[tuple[int, int]] = []
    for figure in figures:
        number = float(figure)
        if not (isfinite(number) and number >= 0):
            raise BadInput(f"a {name} is {number!r}: it is finite and 0 or more")
        ratios.append((int(number), 1) if number.is_integer() else Decimal(repr(number)).as_integer_ratio())
    below = lcm(*{denominator for _, denominator in ratios})
    whole = [numerator * (below // denominator) for numerator, denominator in ratios]
    factor = gcd(*whole) or 1
    return [number // factor for number in whole], Fraction(factor, below)


def _as_written(mean: float, name: str) -> Fraction:
    """The simplest fraction that this float stands for: 1.3333333333333333 is 4/3, as it was before it was stored."""
    if not (isfinite(mean) and mean > 0):
        raise BadInput(f"the {name} is {mean!r}: it is finite and more than 0")
    for digits in range(10):
        simple = Fraction(mean).limit_denominator(10**digits)
        if float(simple) == mean:
            return simple
    return Fraction(repr(float(mean)))


def _profits(values: _Scaled, costs: _Scaled, ratio: Fraction, executable: list[bool]) -> tuple[list[int], Fraction]:
    """Integers p ∝ den·w·c̄ − num·c·w̄, and how many of them make one mean value."""
    weight, price = ratio.denominator * costs.mean, ratio.numerator * values.mean
    below = lcm(weight.denominator, price.denominator)
    weight, price = weight * below, price * below
    gain, loss = int(weight), int(price)
    profit = [
        gain * worth - loss * spent if can else 0
        for worth, spent, can in zip(values.whole, costs.whole, executable, strict=True)
    ]
    factor = gcd(*profit) or 1
    return [number // factor for number in profit], weight * values.mean / factor


def _fitted(profit: list[int]) -> tuple[NDArray[np.int64], int]:
    """The profits as int64 with Σ|p| < 2^51, halved as often as that takes (0 times: exact) and rounded once."""
    total = sum(map(abs, profit))
    shift = max(0, total.bit_length() - PROFIT_LIMIT.bit_length() + 1) if total >= PROFIT_LIMIT else 0
    rounded = profit
    while shift and sum(map(abs, rounded := [_halved(number, shift) for number in profit])) >= PROFIT_LIMIT:
        shift += 1
    return np.array(rounded, dtype=np.int64), shift


def _halved(number: int, times: int) -> int:
    """The number divided by 2^times, to the nearest integer, halves away from zero."""
    size = (abs(number) + (1 << (times - 1))) >> times
    return size if number >= 0 else -size
