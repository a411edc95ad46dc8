"""Checks the input of the solver once: dtypes, shapes, ranges, loops, duplicates, and sums that stay exact.

Wrong input is a `BadInput` that names the row; nothing is converted silently.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput

PROFIT_LIMIT = 2**51
"""Σ|p| stays below it: every sum of capacities is then an integer that a double holds exactly."""

FIGURE_LIMIT = 2**49
"""Σw and Σc stay below it: then a λ = num/den with den·Σw + num·Σc < 2^51 lies near every ratio Σw/Σc."""

_SPLIT = 26


def check_profit(profit: NDArray[np.int64], limit: int = PROFIT_LIMIT, name: str = "profit") -> None:
    """Raise `BadInput` unless `profit` is int64[n] with Σ|p| < `limit`."""
    if not isinstance(profit, np.ndarray) or profit.dtype != np.int64 or profit.ndim != 1:
        raise BadInput(f"{name} is a numpy array int64[n]")
    power = f"2^{limit.bit_length() - 1}"
    if not ((profit > -limit) & (profit < limit)).all():
        raise BadInput(f"a {name} is {power} or more: the cut would not be exact")
    total = size_of(profit)
    if total >= limit:
        raise BadInput(f"the {name}s sum to {total} in size, {power} or more: the cut would not be exact")


def size_of(profit: NDArray[np.int64]) -> int:
    """Return Σ|p| as a Python integer, for |p| < 2^51, however many there are."""
    sizes = np.abs(profit)
    return (int((sizes >> _SPLIT).sum()) << _SPLIT) + int((sizes & ((1 << _SPLIT) - 1)).sum())


def check_figures(value: NDArray[np.int64], cost: NDArray[np.int64]) -> None:
    """Raise `BadInput` unless both are int64[n], none negative, and each sums to less than 2^49."""
    for figures, name in ((value, "value"), (cost, "cost")):
        check_profit(figures, FIGURE_LIMIT, name)
        if (figures < 0).any():
            raise BadInput(f"a {name} is negative: {int(figures.min())}")
    if value.size != cost.size:
        raise BadInput(f"{value.size} values and {cost.size} costs: one each for a candidate")


def check_shape(pairs: NDArray[np.int64], size: int, name: str) -> None:
    """Raise `BadInput` unless `pairs` is int64[m, 2] and every number in it is from 0 to `size` - 1."""
    if not isinstance(pairs, np.ndarray) or pairs.dtype != np.int64 or pairs.ndim != 2 or pairs.shape[1] != 2:
        raise BadInput(f"{name} is a numpy array int64[m, 2]")
    if pairs.size and (int(pairs.min()) < 0 or int(pairs.max()) >= size):
        outside = ((pairs < 0) | (pairs >= size)).any(axis=1)
        raise BadInput(f"{name}: the row {pairs[outside][0].tolist()} names a node outside 0 to {size - 1}")


def check_loops(pairs: NDArray[np.int64], name: str) -> None:
    """Raise `BadInput` where a node needs itself."""
    loops = pairs[:, 0] == pairs[:, 1]
    if loops.any():
        raise BadInput(f"{name}: node {int(pairs[loops][0, 0])} needs itself")


def check_pairs(pairs: NDArray[np.int64], size: int, name: str) -> None:
    """Raise `BadInput` for a wrong shape, a node out of range, a loop, or a row that stands twice."""
    check_shape(pairs, size, name)
    check_loops(pairs, name)
    flat = np.sort(pairs[:, 0] * size + pairs[:, 1])
    twice = flat[1:][flat[1:] == flat[:-1]]
    if twice.size:
        raise BadInput(f"{name}: the row {list(divmod(int(twice[0]), size))} stands twice")


def check_forbidden(forbidden: NDArray[np.bool_] | None, size: int) -> None:
    """Raise `BadInput` unless `forbidden` is None or bool[`size`]."""
    if forbidden is not None and (
        not isinstance(forbidden, np.ndarray) or forbidden.dtype != np.bool_ or forbidden.shape != (size,)
    ):
        raise BadInput(f"forbidden is a numpy array bool[{size}], one for each profit")


def check_tie(tie: str) -> None:
    """Raise `BadInput` unless `tie` is one of the two words."""
    if tie not in ("smallest", "largest"):
        raise BadInput(f"tie is 'smallest' or 'largest', not {tie!r}")


def check_tradeoff(tradeoff: Fraction | int) -> None:
    """Raise `BadInput` unless λ is a `Fraction` or an integer, 0 or more."""
    if not isinstance(tradeoff, Fraction | int) or tradeoff < 0:
        raise BadInput(f"the tradeoff λ is a Fraction or an integer, 0 or more; not {tradeoff!r}")


def check_scaled(value: NDArray[np.int64], cost: NDArray[np.int64], tradeoff: Fraction | int) -> None:
    """Raise `BadInput` unless λ = num/den is a tradeoff, and den·Σw + num·Σc < 2^51."""
    check_tradeoff(tradeoff)
    if tradeoff.denominator * size_of(value) + tradeoff.numerator * size_of(cost) >= PROFIT_LIMIT:
        raise BadInput(
            f"the tradeoff {tradeoff} has too many digits for these values and costs: den·Σw + num·Σc ≥ 2^51"
        )


def check_limits(budget: int, gap: float, time_limit: float) -> None:
    """Raise `BadInput` unless the budget is an integer, 0 or more, and so are gap and time limit, finite numbers."""
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 0:
        raise BadInput(f"the budget is an integer, 0 or more; not {budget!r}")
    for number, name in ((gap, "gap"), (time_limit, "time limit")):
        if not (isfinite(number) and number >= 0):
            raise BadInput(f"the {name} is a number, 0 or more; not {number!r}")
