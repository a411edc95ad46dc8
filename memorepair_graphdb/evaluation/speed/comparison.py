"""Times several solvers of one task in turn, and compares them with one of them round by round.

Solvers that disagree stop the measurement; a ratio is ours over theirs in the same round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from .timing import seconds

Solver = Callable[[], Sequence[int]]
"""Does the task, and gives the values that it found."""

OURS = "ours"


def duel(sides: Mapping[str, Solver], rounds: int) -> dict[str, Any]:
    """Return medians in seconds, ours and theirs, and the ratios to each peer and to the one with the best median.

    `sides` has `OURS` and any number of others; a first round, not counted, warms the caches and compares the values.
    Raises `RuntimeError` where two values differ.
    """
    agree({name: solve() for name, solve in sides.items()})
    times: dict[str, list[float]] = {name: [] for name in sides}
    order = list(sides)
    for _ in range(rounds):
        order = order[1:] + order[:1]  # nobody always follows the same one
        for name in order:
            times[name].append(seconds(sides[name]))
    peers = {name: _compare(times[OURS], theirs) for name, theirs in times.items() if name != OURS}
    best = min(peers, key=lambda name: peers[name]["seconds"], default=None)
    about = {"best_peer": best, "ratio_to_best": peers[best]["ratio"]} if best else {}
    return {"ours_s": round_figure(median(times[OURS])), **about, "rounds": rounds, "peers": peers}


def agree(found: Mapping[str, Sequence[int]]) -> None:
    """Raise `RuntimeError` unless all found the same values."""
    if len({tuple(values) for values in found.values()}) > 1:
        raise RuntimeError(f"the solvers disagree: {dict(found)}")


def round_figure(figure: float) -> float:
    """Round to four significant digits."""
    return float(f"{figure:.4g}")


def _compare(ours: Sequence[float], theirs: Sequence[float]) -> dict[str, float]:
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return {
        "seconds": round_figure(median(theirs)),
        "ratio": round_figure(median(ratios)),
        "ratio_min": round_figure(min(ratios)),
        "ratio_max": round_figure(max(ratios)),
    }
