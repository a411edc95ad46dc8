"""Finds which retracted texts stand behind each artifact that is rebuilt (design, section 5).

They are followed over INFLUENCES and INFLUENCED alike, whoever retracted them; each edge is read once.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Self

from ...environment import batches
from ...store import operator_inputs

if TYPE_CHECKING:
    from ...environment import Environment

_BATCH = 10_000

Edges = Iterable[tuple[str, str]]
"""(source id, target id)"""


class Retractions:
    """Artifact id → the texts of the deleted and corrected artifacts that it is reachable from."""

    def __init__(self, texts: Mapping[str, str], edges: Edges, corrected: Mapping[str, str] | None = None) -> None:
        """`texts` are those of the retracted artifacts, by id; `edges` whatever lies between them and the rest.

        `corrected` has, of those texts, each that was corrected, and what is in service in its place.
        """
        self.corrected: Mapping[str, str] = corrected or {}
        roots = sorted(texts)
        self._texts = [texts[root] for root in roots]
        self._masks = _reach(roots, edges)
        self._distinct: dict[int, tuple[str, ...]] = {0: ()}

    @classmethod
    def behind_all(cls, env: Environment, ids: Sequence[str]) -> Self:
        """Read, layer by layer, what is behind some artifacts, and which of it was retracted."""
        edges: list[tuple[str, str]] = []
        seen = set(ids)
        layer = sorted(seen)
        while layer:
            layer_edges = [
                edge
                for part in batches(layer, _BATCH)
                for edge in env.db.read(operator_inputs.parents, env.space, part)
            ]
            edges += layer_edges
            layer = sorted({source for source, _ in layer_edges} - seen)
            seen.update(layer)
        texts: dict[str, str] = {}
        for part in batches(sorted(seen), _BATCH):
            texts |= env.db.read(operator_inputs.retracted, env.space, part)
        corrections: dict[str, str] = {}
        for part in batches(sorted(texts), _BATCH):
            corrections |= env.db.read(operator_inputs.corrections, env.space, part)
        deleted = {text for id_, text in texts.items() if id_ not in corrections}
        corrected = {texts[id_]: now for id_, now in corrections.items() if texts[id_] not in deleted}
        return cls(texts, edges, corrected)

    def behind(self, id_: str) -> tuple[str, ...]:
        """Return the retracted texts behind an artifact.

        The same tuple for equal sets, so that an index of it is shared.
        """
        mask = self._masks.get(id_, 0)
        if mask not in self._distinct:
            texts = (text for bit, text in enumerate(self._texts) if mask >> bit & 1 and text)
            self._distinct[mask] = tuple(dict.fromkeys(texts))
        return self._distinct[mask]

    def touches(self, id_: str) -> bool:
        """Return whether any retracted artifact stands behind it, erased ones included."""
        return bool(self._masks.get(id_, 0))


def _reach(roots: Sequence[str], edges: Edges) -> dict[str, int]:
    """For each artifact a bit for every root that it is reachable from; circles come to rest."""
    after: dict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        after[source].append(target)
    masks = {root: 1 << bit for bit, root in enumerate(roots)}
    waiting = deque(roots)
    while waiting:
        source = waiting.popleft()
        mask = masks[source]
        for target in after.get(source, ()):
            grown = masks.get(target, 0) | mask
            if grown != masks.get(target):
                masks[target] = grown
                waiting.append(target)
    return masks
