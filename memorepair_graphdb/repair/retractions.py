"""Which retracted texts stand behind each affected artifact (design, section 5).

The law of the room: followed over INFLUENCES and INFLUENCED alike, whichever event retracted them.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..store.materials import Retracted


class Retractions:
    """Artifact id → the texts of the deleted and corrected artifacts that it is reachable from."""

    def __init__(self, found: Retracted) -> None:
        self._roots = sorted(found.texts)
        self._texts = [found.texts[root] for root in self._roots]
        self._masks = _reach(self._roots, found.edges)
        self._distinct: dict[int, tuple[str, ...]] = {0: ()}

    def behind(self, id_: str) -> tuple[str, ...]:
        """The retracted texts behind an artifact; the same tuple for equal sets, so that an index of it is shared."""
        mask = self._masks.get(id_, 0)
        if mask not in self._distinct:
            texts = (text for bit, text in enumerate(self._texts) if mask >> bit & 1 and text)
            self._distinct[mask] = tuple(dict.fromkeys(texts))
        return self._distinct[mask]

    def touches(self, id_: str) -> bool:
        """Whether any retracted artifact stands behind it, erased ones included."""
        return bool(self._masks.get(id_, 0))


def _reach(roots: list[str], edges: tuple[tuple[str, str], ...]) -> dict[str, int]:
    """For each artifact a bit for every root that it is reachable from; circles come to rest."""
    after: dict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        after[source].append(target)
    masks = {root: 1 << bit for bit, root in enumerate(roots)}
    waiting = deque(roots)
    while waiting:
        source = waiting.popleft()
        mask = masks[source]
        for target in after[source]:
            grown = masks.get(target, 0) | mask
            if grown != masks.get(target):
                masks[target] = grown
                waiting.append(target)
    return masks
