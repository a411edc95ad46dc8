"""Estimates what a repair would cost before it is done, by the operators' own estimates over sizes instead of texts.

An estimate sees no text of what was withdrawn, and is the same before and behind the barrier.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ...environment import batches
from ...errors import BadInput, describe
from ...model.cascade import Rows
from ...model.vocabulary import Standing
from ...operators.protocol.context import Context, LiveSource, SourceChange
from ...store import cascades, plans

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model.cascade import Affected, Cascade, Influence
    from ...operators.protocol.registry import Operator
    from ...store.cascades import Size
    from ...store.transactions import Tx
    from .candidates import Estimate

EVENTS = 50
"""the last so many closed events teach"""
RUNS = 10
"""fewer teach nothing yet"""
LEAST, MOST = 0.01, 100.0

_BATCH = 10_000
_log = logging.getLogger(__name__)
_GONE = (Standing.DELETED, Standing.ELSEWHERE)


def factors(tx: Tx, space: str) -> dict[str, float]:
    """Operator → what its own estimate is multiplied with; 1 is left out. Three digits, so that a plan shows them."""
    by_operator = {}
    for operator, runs, estimated, spent in plans.learned(tx, space, EVENTS):
        if runs >= RUNS and estimated > 0 and spent > 0:
            by_operator[operator] = float(f"{min(max(spent / estimated, LEAST), MOST):.3g}")
    return {operator: factor for operator, factor in by_operator.items() if factor != 1.0}


def estimator(tx: Tx, space: str, cascade: Cascade, factors: Mapping[str, float]) -> Estimate:
    """Read the sizes that the cascade's estimates need; the function returned reads nothing more.

    An operator's own estimate is multiplied with its factor. It raises `BadInput` for an estimate that is no number of
    tokens; one that fails is logged, and is the default.
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
    sizes: dict[str, Size] = {}
    for part in batches(sorted(needed), _BATCH):
        sizes |= cascades.sizes(tx, space, part)

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
            guess = operator.estimate(context)
        except BadInput:
            raise
        except Exception as error:
            # A guess that fails costs the guess, not the repair of a whole cascade behind its barrier.
            _log.warning("%s cannot estimate %s: %s", operator.name, artifact.key, describe(error))
            guess = context.tokens
        return guess * factors.get(operator.name, 1.0)

    return estimate
