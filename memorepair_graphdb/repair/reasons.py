"""Why each executable candidate was selected or not, in a sentence for a person.

The law of the room: a reason is true of the selection that was made, and names the key that it hangs on.
"""

from __future__ import annotations

from collections.abc import Sequence

from .candidates import Judged
from .selection import Selection


def selection_reasons(
    candidates: Sequence[Judged], selection: Selection, tradeoff: str, budget: str | None = None
) -> list[str]:
    """One reason for each candidate, in their order; what is not executable keeps its own.

    `tradeoff` is λ, `budget` what the selection had to fit, as text.
    """
    chosen, profit, gain = selection.chosen.tolist(), selection.profit.tolist(), selection.gain.tolist()
    selected = {candidate.artifact.id for candidate, x in zip(candidates, chosen, strict=True) if x}
    needed_by = _needed_by(candidates, selected)
    reasons = []
    for candidate, x, worth, margin in zip(candidates, chosen, profit, gain, strict=True):
        if not candidate.fate.executable:
            reasons.append(candidate.fate.reason)
        elif x and worth <= 0 and candidate.artifact.id in needed_by:
            reasons.append(f"needed by {needed_by[candidate.artifact.id]}")
        elif x:
            reasons.append(f"worth it: {_figures(candidate, tradeoff)}")
        elif worth > 0 and (missing := _missing(candidate, selected)):
            reasons.append(f"worth it alone, but needs {missing}, which is not selected")
        elif worth > 0:
            reasons.append(f"worth it: {_figures(candidate, tradeoff)}, but the budget of {budget} goes to others")
        else:
            reasons.append(f"not worth it: {_figures(candidate, tradeoff)} {_short(worth, margin)}")
    return reasons


def _needed_by(candidates: Sequence[Judged], selected: set[str]) -> dict[str, str]:
    """For what a selected candidate needs, by id: the key of the first that does."""
    needed: dict[str, str] = {}
    for candidate in candidates:
        if candidate.artifact.id in selected:
            for _key, id_ in candidate.predecessors:
                needed.setdefault(id_, candidate.artifact.key)
    return needed


def _figures(candidate: Judged, tradeoff: str) -> str:
    return f"value {candidate.value:.6g} against cost {candidate.cost:.6g} at λ = {tradeoff}"


def _missing(candidate: Judged, selected: set[str]) -> str:
    """The first predecessor that is not selected; "" where all are, and only a budget keeps this one out."""
    return next((key for key, id_ in candidate.predecessors if id_ not in selected), "")


def _short(worth: int, margin: float) -> str:
    if worth == 0:
        return "just balances, and no selected repair needs it"
    return f"falls short by {-margin:.3g} of the mean value, and no selected repair needs it"
