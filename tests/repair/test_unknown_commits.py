"""A connection that breaks during a commit, committed or not: the repair asks the graph, and goes on.

Each write of a repair in turn says that its outcome is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb.errors import OutcomeUnknown
from memorepair_graphdb.store.transactions import Transactions
from tests.harness import crashing
from tests.repair.test_crash import end_state

if TYPE_CHECKING:
    from neo4j import Driver

    from tests.repair.conftest import Opener


class Unsure(Transactions):
    """Transactions of which one, the n-th write, does not say whether it was committed."""

    def __init__(self, driver: Driver, after: int, *, committed: bool) -> None:
        super().__init__(driver)
        self.writes, self.after, self.committed = 0, after, committed

    def write(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        return self._unsure(super().write, work, *args, **kwargs)

    def barrier(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        return self._unsure(super().barrier, work, *args, **kwargs)

    def _unsure(self, run: Any, *args: Any, **kwargs: Any) -> Any:
        self.writes += 1
        if self.writes != self.after:
            return run(*args, **kwargs)
        if self.committed:
            run(*args, **kwargs)
        raise OutcomeUnknown("the connection broke during a commit")


@pytest.mark.parametrize("stride", [2, pytest.param(1, marks=pytest.mark.torture)])
@pytest.mark.parametrize("committed", [True, False], ids=["committed", "not committed"])
@pytest.mark.parametrize("what", crashing.RUNS)
def test_whichever_commit_is_unknown_the_repair_ends_as_if_it_were_not(
    memory, prepared: Driver, space: str, dimensions: int, what: str, committed: bool, stride: int
):
    """Each write, or every other one: the odd ones where it was committed, the even ones where it was not."""
    crashing.DIMENSIONS = dimensions

    def opened(beside: str):
        mr = memory(beside, registry=crashing.registry, embedder=crashing.embedder)
        crashing.laid_down(mr)
        if what == "retry":
            mr.repair(crashing.EVENT, tradeoff=crashing.TRADEOFF)
        return mr

    crashing.run(opened("_sure"), what)
    expected = end_state(prepared, f"{space}_sure")
    after, writes = (1 - stride, 1) if committed else (0, 1)
    while after <= writes:
        after += stride
        mr = opened(f"_{after}")
        mr.transactions = unsure = Unsure(prepared, after, committed=committed)
        assert crashing.run(mr, what).status == "closed"
        assert end_state(prepared, mr.space) == expected, f"commit {after}"
        writes = unsure.writes
    assert after >= 8


def test_a_small_batch_makes_more_transactions_and_the_same_end(
    memory: Opener, prepared: Driver, space: str, dimensions: int
) -> None:
    """Without more transactions the sweeps in small batches would test nothing of their own."""
    crashing.DIMENSIONS = dimensions
    writes, ends = [], []
    for batch in (1000, 2):
        mr = memory(f"_{batch}", registry=crashing.registry, embedder=crashing.embedder)
        crashing.laid_down(mr)
        mr.batch, mr.transactions = batch, (counted := Unsure(prepared, 0, committed=True))
        crashing.run(mr, "repair")
        writes.append(counted.writes)
        ends.append(end_state(prepared, mr.space))
    assert ends[0] == ends[1]
    assert writes[1] >= writes[0] + 8
