"""One task, several solvers: all timed in turn, and compared with one of them round by round.

The law of the room: solvers that disagree stop the measurement; a ratio is ours over theirs in the same round.
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
    """Medians in seconds, ours and theirs, and the ratios to each peer and to the one with the best median.

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
    peers = {name: _beside(times[OURS], theirs) for name, theirs in times.items() if name != OURS}
    best = min(peers, key=lambda name: peers[name]["seconds"], default=None)
    about = {"best_peer": best, "ratio_to_best": peers[best]["ratio"]} if best else {}
    return {"ours_s": rounded(median(times[OURS])), **about, "rounds": rounds, "peers": peers}


def agree(found: Mapping[str, Sequence[int]]) -> None:
    """Raise `RuntimeError` unless all found the same values."""
    if len({tuple(values) for values in found.values()}) > 1:
        raise RuntimeError(f"the solvers disagree: {dict(found)}")


def rounded(figure: float) -> float:
    """To four significant digits."""
    return float(f"{figure:.4g}")


def _beside(ours: Sequence[float], theirs: Sequence[float]) -> dict[str, float]:
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return {
        "seconds": rounded(median(theirs)),
        "ratio": rounded(median(ratios)),
        "ratio_min": rounded(min(ratios)),
        "ratio_max": rounded(max(ratios)),
    }
