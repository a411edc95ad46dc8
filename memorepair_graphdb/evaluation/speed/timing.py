"""Times pairs of runs, and gives medians and ratios.

Both sides of a ratio ran in one run, in turn; no absolute time is a result.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any


def seconds(work: Callable[[], Any]) -> float:
    """Return wall seconds of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def in_turn(
    ours: Callable[[], Any], bare: Callable[[], Any], pairs: int, between: Callable[[], Any] = lambda: None
) -> dict[str, Any]:
    """Time both sides in turn, A B B A …, with `between` after each; a first pair, not counted, warms the caches."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(pairs + 1):
        for side in (0, 1) if turn % 2 else (1, 0):
            took = seconds((ours, bare)[side])
            between()
            if turn:
                times[side].append(took)
    return compare_pairs(*times)


def compare_pairs(ours: list[float], bare: list[float]) -> dict[str, Any]:
    """Return medians of both sides, and of the ratios pair by pair."""
    ratios = sorted(a / b for a, b in zip(ours, bare, strict=True))
    return {
        "pairs": len(ratios),
        "ours_median_s": round(median(ours), 4),
        "bare_median_s": round(median(bare), 4),
        "ratio_median": round(median(ratios), 3),
        "ratio_min": round(ratios[0], 3),
        "ratio_max": round(ratios[-1], 3),
    }
