"""A database with somebody else's data in it: it works, is left as it was, and is not taken for ours.

What is foreign has our labels or our property names, never both as we lay them down.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import MemoRepairError, StoreError
from tests.store.fresh.test_setup import rows

if TYPE_CHECKING:
    from neo4j import Driver

FOREIGN = """
CREATE (:Artifact), (:Artifact), (:Artifact {name: 'a painting'}), (:Artifact {id: 5})
CREATE (:Artifact {id: 'x', content: 'rain'})
CREATE (:Visible {content: 'rain'}), (:Visible:Light {content: 'rain', space: 'outer'}), (:Withdrawn:Money)
CREATE (:Retired:Person), (:Staged:Play {held_by: 1}), (:Gate {name: 'north'}), (:Gate {name: 'south'})
CREATE (:RepairEvent {id: 1}), (:RepairEvent), (:Fact {content: 'rain'})
CREATE (:Episodic {id: 'a'})-[:SEMANTIC]->(:Community)
CREATE (:Message {space: 'one', key: 'root', content: 'rain'})-[:INFLUENCES]->(:Entity {id: 'root', space: 'one'})
CREATE (:Conversation)-[:ROOT]->(:Preference)
"""
_FOREIGN = "MATCH (n) WHERE n.foreign RETURN labels(n) AS labels, properties(n) AS properties ORDER BY elementId(n)"
_EDGES = "MATCH (a)-[r]->(b) WHERE a.foreign OR b.foreign RETURN type(r) AS type, a.foreign AND b.foreign AS inside"


def _everything(driver: Driver) -> Any:
    return rows(driver, _FOREIGN), rows(driver, _EDGES)


def test_it_works_beside_it_and_leaves_it_alone(empty: Driver) -> None:
    empty.execute_query(FOREIGN)
    empty.execute_query("MATCH (n) SET n.foreign = true")
    before = _everything(empty)
    mr = MemoRepair(empty, space="one")
    mr.setup(dimensions=2)
    mr.record("rain in the root", key="root", embedding=[1.0, 0.5])
    mr.derive("rain in the leaf", key="leaf", kind="summary", influenced_by="root", operator="summary@1")
    assert {hit.artifact.key for hit in mr.search("rain", k=50)} == {"root", "leaf"}
    assert [hit.artifact.key for hit in mr.search(embedding=[1.0, 0.5], k=50)] == ["root"]
    assert mr.check().violations == ()
    assert mr.preview(RepairEvent.delete("root")).cascade == ("leaf", "root")
    report = mr.repair(RepairEvent.delete("root", id="e"))
    assert set(report.outcomes) == {"root", "leaf"}
    mr.erase("e")
    assert mr.check().violations == ()
    assert _everything(empty) == before


def test_foreign_nodes_that_no_rule_of_ours_can_bear_are_named(empty: Driver) -> None:
    empty.execute_query("UNWIND [1, 2] AS n CREATE (:Artifact {id: 'twice'})")
    with pytest.raises(StoreError, match=r"(?s)Artifact.*id.*twice"):
        MemoRepair(empty, space="one").setup()


def test_a_foreign_node_in_the_place_of_one_of_ours_ends_in_an_error_soon(empty: Driver) -> None:
    mr = MemoRepair(empty, space="one")
    mr.setup()
    empty.execute_query("CREATE (:Visible {space: 'one', key: 'k'})")
    began = time.monotonic()
    with pytest.raises(MemoRepairError, match="already exists"):
        mr.record("x", key="k")
    assert time.monotonic() - began < 60
    assert mr.record("x", key="l").visible
