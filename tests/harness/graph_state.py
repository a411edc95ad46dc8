"""A look at everything in a space, and the assertion that a refusal left it as it was.

Plain Cypher of its own; nothing of the package is used to judge it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memorepair_graphdb import MemoRepair
    from memorepair_graphdb.errors import MemoRepairError

_NODES = (
    "MATCH (n) WHERE n.space = $space RETURN labels(n) AS labels, properties(n) AS properties ORDER BY elementId(n)"
)
_EDGES = """
MATCH (a)-[r]->(b) WHERE a.space = $space OR b.space = $space
RETURN elementId(a), type(r), properties(r), elementId(b) ORDER BY elementId(r)
"""


def rows(mr: MemoRepair, statement: str, **params: Any) -> list[dict[str, Any]]:
    """Rows of a statement; `$space` is given."""
    return mr.transactions.write(lambda tx: tx.run(statement, space=mr.space, **params).data())


def everything(mr: MemoRepair) -> Any:
    """Every node and relationship of a space, with all that is on it."""
    return rows(mr, _NODES), rows(mr, _EDGES)


@contextmanager
def refused(mr: MemoRepair, kind: type[MemoRepairError], *says: str) -> Iterator[None]:
    """What is done inside is refused with exactly that error, whose message says all of `says`; nothing is written."""
    before = everything(mr)
    with pytest.raises(kind) as caught:
        yield
    assert type(caught.value) is kind
    for part in says:
        assert part in str(caught.value)
    assert everything(mr) == before


@contextmanager
def planted(mr: MemoRepair, statement: str, undo: str) -> Iterator[None]:
    """A change made behind everybody's back, and taken back."""
    rows(mr, statement)
    yield
    rows(mr, undo)
