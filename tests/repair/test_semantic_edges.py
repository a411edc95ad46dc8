"""Semantic edges move with the version: in a repair, a correction, over what was left withdrawn; none is doubled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from tests.harness.fake_operators import Staff, word

if TYPE_CHECKING:
    from neo4j import Driver

OPERATOR = "regen_some@1"

_EDGES = """
MATCH (a:Artifact {space: $space})-[near:SEMANTIC]->(b)
RETURN a.key AS source, a.version AS from, near.score AS score, b.key AS target, b.version AS to
ORDER BY source, target, from, to
"""


def edges(driver: Driver, mr: MemoRepair) -> list[str]:
    """Every semantic edge, from version to version, with its score."""
    rows = driver.execute_query(_EDGES, space=mr.space).records
    return [f"{row['source']} {row['from']} -{row['score']}-> {row['target']} {row['to']}" for row in rows]


@pytest.fixture
def mr(memory) -> MemoRepair:
    """Give a memory in which every kind of edge lies: into, out of and between what will change."""
    made = memory(registry=Staff().registry)
    summary = {"kind": "summary", "operator": OPERATOR}
    made.load(
        [
            {"key": "doc", "kind": "record", "content": word("doc"), "semantic": [{"key": "aside", "score": 0.1}]},
            {"key": "kept", "kind": "record", "content": word("kept")},
            {
                "key": "aside",
                "kind": "record",
                "content": word("aside"),
                "semantic": [{"key": "note", "score": 0.2}, {"key": "doc", "score": 0.3}],
            },
            {
                "key": "note",
                "content": word("note"),
                "influenced_by": ["doc", "kept"],
                "semantic": [{"key": "aside", "score": 0.4}, {"key": "on", "score": 0.5}],
                **summary,
            },
            {
                "key": "on",
                "content": word("on"),
                "influenced_by": ["note"],
                "semantic": [{"key": "note", "score": 0.6}, {"key": "doc", "score": 0.7}],
                **summary,
            },
        ]
    )
    return made


FIRST = [
    "aside 1 -0.3-> doc 1",
    "aside 1 -0.2-> note 1",
    "doc 1 -0.1-> aside 1",
    "note 1 -0.4-> aside 1",
    "note 1 -0.5-> on 1",
    "on 1 -0.7-> doc 1",
    "on 1 -0.6-> note 1",
]


def moved(**versions: int) -> list[str]:
    """The edges that were laid, each end at the version that its key has now."""
    return [_moved(edge, versions) for edge in FIRST]


def _moved(edge: str, versions: dict[str, int]) -> str:
    source, _, arrow, target, _ = edge.split(" ")
    return f"{source} {versions.get(source, 1)} {arrow} {target} {versions.get(target, 1)}"


def test_the_edges_lie_as_they_were_loaded(prepared: Driver, mr: MemoRepair) -> None:
    assert edges(prepared, mr) == FIRST


def test_a_correction_takes_its_edges_along_and_so_does_what_is_rebuilt(prepared: Driver, mr: MemoRepair) -> None:
    report = mr.repair(RepairEvent.correct({"doc": "a new doc"}))
    assert report.outcomes == {"doc": "replaced", "note": "published", "on": "published"}
    assert edges(prepared, mr) == moved(doc=2, note=2, on=2)
    mr.repair(RepairEvent.correct({"doc": "a newer doc", "aside": "a new aside"}))
    assert edges(prepared, mr) == moved(doc=3, note=3, on=3, aside=2)


@pytest.mark.parametrize("batch", [1, 2])
def test_a_level_that_is_published_in_one_call_or_in_two_moves_alike(prepared: Driver, mr: MemoRepair, batch: int):
    mr.batch = batch
    mr.repair(RepairEvent.correct({"kept": "new"}))
    assert edges(prepared, mr) == moved(note=2, on=2)


def test_two_edges_that_come_to_lie_between_the_same_versions_become_one(prepared: Driver, mr: MemoRepair) -> None:
    """One was written to the replacement by hand while the rest of the cascade was out of service."""
    event = RepairEvent.correct({"doc": "a new doc"})
    mr.withdraw(event)
    prepared.execute_query(
        "MATCH (doc:Visible {space: $s, key: 'doc'}), (on:Withdrawn {space: $s, key: 'on'}) "
        "CREATE (on)-[:SEMANTIC {score: 0.7}]->(doc), (on)-[:SEMANTIC {score: 0.7}]->(doc)",
        s=mr.space,
    )
    mr.resume(event.id)
    assert edges(prepared, mr) == moved(doc=2, note=2, on=2)


def test_an_edge_that_is_loaded_again_after_it_moved_is_not_doubled(prepared: Driver, mr: MemoRepair) -> None:
    mr.repair(RepairEvent.correct({"doc": "a new doc"}))
    near = [{"key": "doc", "score": 0.3}, {"key": "note", "score": 0.2}]
    mr.load([{"key": "aside", "kind": "record", "content": word("aside"), "semantic": near}])
    assert edges(prepared, mr) == moved(doc=2, note=2, on=2)


def test_what_is_deleted_or_stays_withdrawn_keeps_its_edges_where_they_are(prepared: Driver, mr: MemoRepair) -> None:
    mr.repair(RepairEvent.delete("doc"), tradeoff="1000")
    assert edges(prepared, mr) == FIRST


def test_what_takes_the_place_of_a_leftover_takes_its_edges_too(prepared: Driver, mr: MemoRepair) -> None:
    mr.repair(RepairEvent.correct({"doc": "new"}), tradeoff="1000")
    assert edges(prepared, mr) == moved(doc=2)
    mr.derive("by another way", key="note", kind="summary", influenced_by="kept")
    assert edges(prepared, mr) == moved(doc=2, note=2)
    mr.load([{"key": "on", "kind": "summary", "content": "loaded", "influenced_by": ["note"]}])
    assert edges(prepared, mr) == moved(doc=2, note=2, on=2)


def test_a_correction_of_what_was_left_withdrawn_takes_its_edges_too(prepared: Driver, mr: MemoRepair) -> None:
    mr.repair(RepairEvent.delete("doc"), tradeoff="1000")
    mr.repair(RepairEvent.correct({"note": "by hand"}), tradeoff="0")
    assert edges(prepared, mr) == moved(note=2, on=2)
