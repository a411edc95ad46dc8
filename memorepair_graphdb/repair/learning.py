"""What past repairs of a space say of its operators' estimates: for each a factor, spent over estimated.

The law of the room: only closed events teach, and only where enough was run; the same history gives the same factors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..store import plans

if TYPE_CHECKING:
    from ..store.transactions import Tx

EVENTS = 50
"""the last so many count"""
RUNS = 10
"""fewer teach nothing yet"""
LEAST, MOST = 0.01, 100.0


def factors(tx: Tx, space: str) -> dict[str, float]:
    """Operator → what its own estimate is multiplied with; 1 is left out. Three digits, so that a plan shows them."""
    found = {}
    for operator, runs, estimated, spent in plans.learned(tx, space, EVENTS):
        if runs >= RUNS and estimated > 0 and spent > 0:
            found[operator] = float(f"{min(max(spent / estimated, LEAST), MOST):.3g}")
    return {operator: factor for operator, factor in found.items() if factor != 1.0}
