"""Says why each executable candidate was selected or not, in a sentence that names the key it hangs on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...model.cascade import Ints
from .candidates import CandidateColumns
from .selection import Selection


def selection_reasons(
    candidates: CandidateColumns, keys: Sequence[str], selection: Selection, tradeoff: str, budget: str | None = None
) -> list[str]:
    """One reason for each candidate, in their order; what is not executable keeps its own.

    `keys` are theirs; `tradeoff` is λ, `budget` what the selection had to fit, as text.
    """
    x, (own, other) = selection.chosen, candidates.needs.T
    needed_by = _firsts(other[x[own]], own[x[own]])
    missing = _firsts(own[~x[other]], other[~x[other]])
    columns = zip(
        candidates.reason,
        x.tolist(),
        selection.profit.tolist(),
        candidates.value.tolist(),
        candidates.cost.tolist(),
        selection.gain.tolist(),
        strict=True,
    )
    reasons = []
    for index, (barred, chosen, worth, value, cost, margin) in enumerate(columns):
        if barred:
            reasons.append(barred)
        elif chosen and worth <= 0 and index in needed_by:
            reasons.append(f"needed by {keys[needed_by[index]]}")
        elif chosen:
            reasons.append(f"worth it: {_figures(value, cost, tradeoff)}")
        elif worth > 0 and index in missing:
            reasons.append(f"worth it alone, but needs {keys[missing[index]]}, which is not selected")
        elif worth > 0:
            reasons.append(f"worth it: {_figures(value, cost, tradeoff)}, but the budget of {budget} goes to others")
        else:
            reasons.append(f"not worth it: {_figures(value, cost, tradeoff)} {_short(worth, margin)}")
    return reasons


def _firsts(index: Ints, others: Ints) -> dict[int, int]:
    """Return for each index the first of the others that stand beside it."""
    indices, rows = np.unique(index, return_index=True)
    return dict(zip(indices.tolist(), others[rows].tolist(), strict=True))


def _figures(value: float, cost: float, tradeoff: str) -> str:
    return f"value {value:.6g} against cost {cost:.6g} at λ = {tradeoff}"


def _short(worth: int, margin: float) -> str:
    if worth == 0:
        return "just balances, and no selected repair needs it"
    return f"falls short by {-margin:.3g} of the mean value, and no selected repair needs it"
