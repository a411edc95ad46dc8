"""Estimates what a repair would cost before it is done, by the operators' own estimates over sizes instead of texts.

An estimate sees no text of what was withdrawn, and is the same before and behind the barrier.
"""

from __future__ import annotations

import logging
from bisect import bisect_left
from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING

from ...errors import describe
from ...model.cascade import Rows
from ...model.vocabulary import Standing
from ...operators.protocol.context import Context, LiveSource, SourceChange
from ...store import plans

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...model.cascade import Affected, Cascade, Influence
    from ...operators.protocol.registry import Operator
    from ...store.transactions import Tx
    from .candidates import Estimate
    from .sizes import SizeReader

EVENTS = 50
"""the last so many closed events teach"""
RUNS = 10
"""fewer teach nothing yet"""
LEAST, MOST = 0.01, 100.0
"""of a factor"""
LARGEST = 1e15
"""tokens: no estimate is larger, so that the sum of a plan's costs is a number"""

_log = logging.getLogger(__name__)
_GONE = (Standing.DELETED, Standing.ELSEWHERE)


def factors(tx: Tx, space: str) -> dict[str, float]:
    """Return, by operator, what its own estimate is multiplied with; 1 is left out.

    It is the median of the ratios of what its runs spent by what was estimated, between `LEAST` and `MOST`, in three
    digits, so that a plan shows it.
    """
    by_operator = {}
    for operator, ratios in plans.learned(tx, space, EVENTS).items():
        if sum(runs for _, runs in ratios) >= RUNS and (ratio := weigh_median(ratios)) > 0:
            by_operator[operator] = float(f"{min(max(ratio, LEAST), MOST):.3g}")
    return {operator: factor for operator, factor in by_operator.items() if factor != 1.0}


def weigh_median(weighed: Sequence[tuple[float, int]]) -> float:
    """Return the median of numbers ≥ 0, each counted by its weight.

    Between two halves of equal weight it is their geometric mean. Raises `IndexError` where there is none.
    """
    ascending = sorted(weighed)
    half = sum(weight for _, weight in ascending) / 2
    upto = list(accumulate(weight for _, weight in ascending))
    at = bisect_left(upto, half)
    low = ascending[at][0]
    return sqrt(low * ascending[at + 1][0]) if upto[at] == half else low


def estimator(cascade: Cascade, factors: Mapping[str, float], reader: SizeReader) -> Estimate:
    """Read the sizes that the cascade's estimates need; the function returned reads nothing more.

    An operator's own estimate is multiplied with its factor. One that fails or is no number of tokens costs itself and
    not the plan: it is logged as a warning, and the default is taken, `Context.tokens`.
    """
    all_ = cascade.descendants
    indices = [
        index
        for index, (cost, form) in enumerate(zip(all_.cost, all_.form.tolist(), strict=True))
        if cost is None and all_.forms[form].operator is not None
    ]
    needed = {all_.ids[index] for index in indices}
    if indices:
        rows = Rows(cascade)
        needed |= {edge.source for index in indices for edge in rows.edges(index)}
    sizes = reader.read(needed)

    def estimate(artifact: Affected, edges: tuple[Influence, ...], operator: Operator) -> float:
        supports = [
            LiveSource(edge.source_key, edge.role, size.kind, "", size=size.characters)
            for edge in edges
            if edge.standing not in _GONE and (size := sizes.get(edge.source)) is not None
        ]
        own = sizes.get(artifact.id)
        changed = ((edge.source_key, edge.role) for edge in edges if edge.standing is not Standing.RETAINED)
        context = Context(
            key=artifact.key,
            kind=artifact.kind,
            arch=artifact.arch,
            recipe=own.recipe if own is not None else None,
            supports=tuple(sorted(supports, key=lambda source: (source.key, source.role or ""))),
            change=SourceChange(frozenset(changed), own is not None and own.blob),
        )
        try:
            tokens = operator.estimate(context)
        except (Exception, SystemExit) as error:
            _log.warning("%s cannot estimate %s: %s", operator.name, artifact.key, describe(error))
            tokens = context.tokens
        return min(tokens * factors.get(operator.name, 1.0), LARGEST)

    return estimate
