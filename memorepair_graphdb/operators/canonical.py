"""Is JSON in its canonical form?

The law of the room: equal results are equal texts.
"""

from __future__ import annotations

from ..model.content import canonical_json
from .context import parsed
from .verdict import Review, Verdict, excerpt


def canonical(review: Review, content: str) -> Verdict:
    """JSON is in its canonical form; other text may be as it is."""
    value = parsed(content)
    if isinstance(value, str) or content == canonical_json(value):
        return Verdict(True, "canonical")
    wanted = canonical_json(value)
    return Verdict(False, "canonical", "is not canonical JSON", excerpt(content), excerpt(wanted))
