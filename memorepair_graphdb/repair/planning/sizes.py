"""Reads what planning may know of the artifacts of a cascade, each once, whichever step asks first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...environment import batches
from ...store import cascades

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...store.cascades import Size
    from ...store.transactions import Tx

_BATCH = 10_000


class SizeReader:
    """The sizes that the steps of one planning have asked for; reads only what none has asked for before."""

    def __init__(self, tx: Tx, space: str) -> None:
        self._tx, self._space = tx, space
        self._known: dict[str, Size] = {}

    def read(self, ids: Iterable[str]) -> dict[str, Size]:
        """Return the sizes by id, in the order of the ids; what is not in the space is left out."""
        wanted = sorted(set(ids))
        for part in batches([id_ for id_ in wanted if id_ not in self._known], _BATCH):
            self._known |= cascades.sizes(self._tx, self._space, part)
        return {id_: self._known[id_] for id_ in wanted if id_ in self._known}
