"""Puts values and costs on one exact scale of integers, and says by how much what did not fit was rounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import gcd, isfinite, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import BadInput
from ...solver.closure import PROFIT_LIMIT

BUDGET_ROOM = 2**35
"""Σw and Σc of a selection within a budget stay below it, so that there is room for the digits of λ beside them."""


class Scaled(NamedTuple):
    """Figures as integers: figure i is `unit · whole[i]`, and their mean `unit · mean`."""

    whole: list[int]
    unit: Fraction
    mean: Fraction


def scaled(figures: Sequence[float] | NDArray[np.float64], mean: float | None, name: str) -> Scaled:
    """Put figures on a scale: their own mean (1 where that is 0), or a given one. Raises `BadInput` for a bad one."""
    whole, unit = _as_integers(figures, name)
    if mean is not None:
        return Scaled(whole, unit, _as_written(mean, f"mean {name}") / unit)
    total = sum(whole)
    return Scaled(whole, unit, Fraction(total, len(whole)) if total else 1 / unit)


def _as_integers(figures: Sequence[float] | NDArray[np.float64], name: str) -> tuple[list[int], Fraction]:
    """Return the figures over their common denominator, without their common factor."""
    numbers = np.asarray(figures, np.float64)
    for wrong in numbers[~(np.isfinite(numbers) & (numbers >= 0))][:1].tolist():
        raise BadInput(f"a {name} is {wrong!r}: it is finite and 0 or more")
    distinct, which = np.unique(numbers, return_inverse=True)
    ratios = [
        (int(number), 1) if number.is_integer() else Decimal(repr(number)).as_integer_ratio()
        for number in distinct.tolist()
    ]
    below = lcm(*{denominator for _, denominator in ratios})
    whole = [numerator * (below // denominator) for numerator, denominator in ratios]
    factor = gcd(*whole) or 1
    lowest = [number // factor for number in whole]
    return [lowest[index] for index in which.tolist()], Fraction(factor, below)


def _as_written(mean: float, name: str) -> Fraction:
    """Return the simplest fraction that this float stands for.

    1.3333333333333333 is 4/3, as it was before it was stored.
    """
    if not (isfinite(mean) and mean > 0):
        raise BadInput(f"the {name} is {mean!r}: it is finite and more than 0")
    for digits in range(10):
        simple = Fraction(mean).limit_denominator(10**digits)
        if float(simple) == mean:
            return simple
    return Fraction(repr(float(mean)))


def profits(values: Scaled, costs: Scaled, ratio: Fraction, executable: list[bool]) -> tuple[list[int], Fraction]:
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


def fit_profits(profit: Sequence[int]) -> tuple[NDArray[np.int64], int]:
    """Return the profits as int64 with Σ|p| < 2^51, halved as often as that takes (0 times: exact) and rounded once."""
    return _shrink(profit, PROFIT_LIMIT, _nearest)


def reduced(whole: Sequence[int], room: int) -> tuple[NDArray[np.int64], int]:
    """Return figures ≥ 0 as int64 with a sum below `room`, halved as often as that takes, and how often; rounded up.

    Up, so that costs that fit a budget once rounded fit it as they are. `room` is more than the number of figures.
    """
    return _shrink(whole, room, _up)


def fit_ratio(ratio: Fraction, value: int, cost: int) -> Fraction:
    """Return the nearest λ = num/den to a ratio ≥ 0 with den·Σw + num·Σc below 2^51, for figures that sum to these."""
    most = PROFIT_LIMIT
    near = ratio
    while near.denominator * value + near.numerator * cost >= PROFIT_LIMIT and most > 1:
        most //= 2
        near = ratio.limit_denominator(most)
    return near


def _shrink(whole: Sequence[int], room: int, rounded: Callable[[int, int], int]) -> tuple[NDArray[np.int64], int]:
    """Return the figures, halved and rounded until their sizes sum to less than `room`.

    The second value is how often they were halved.
    """
    shrunk, shift = list(whole), 0
    while (total := sum(map(abs, shrunk))) >= room:
        shift += max(1, total.bit_length() - room.bit_length())
        shrunk = [rounded(number, shift) for number in whole]
    return np.array(shrunk, dtype=np.int64), shift


def _nearest(number: int, times: int) -> int:
    """Return the number divided by 2^times, to the nearest integer, halves away from zero."""
    size = (abs(number) + (1 << (times - 1))) >> times
    return size if number >= 0 else -size


def _up(number: int, times: int) -> int:
    """Return the number divided by 2^times, rounded up."""
    return -(-number >> times)
