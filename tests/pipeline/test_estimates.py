"""What a repair is expected to cost: an estimate that fails costs the guess, not the repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memorepair_graphdb import RepairEvent

if TYPE_CHECKING:
    from collections.abc import Callable

    from memorepair_graphdb import MemoRepair


def test_a_recipe_that_an_estimate_cannot_read_stops_nobody_elses_repair(memory: Callable[..., MemoRepair]) -> None:
    mr = memory()
    mr.record("It rains in Oslo. It is mild.", key="a")
    mr.record("It snows in Rome. It is cold.", key="b")
    for key, recipe in (("odd", ["no", "object"]), ("even", {"sentences": 2})):
        mr.derive("n", key=key, kind="summary", influenced_by=["a", "b"], operator="summary@1", recipe=recipe)
    report = mr.repair(RepairEvent.delete(["a"]))
    assert report.status == "closed"
    assert report.outcomes == {"a": "removed", "odd": "operator_failed", "even": "published"}
