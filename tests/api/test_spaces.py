"""A space has the name that a tenant has: any text of 1 to 256 characters without controls, in every door.

Neighbours with names that look alike, to a person or to the index of the server, share nothing and take no place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from neo4j import Driver

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.model.names import check_space

NAMES = [
    "old_name_1",
    "6f9619ff-8b86-d011-b42d-00c04fc964ff",
    "ann.kowalczyk+notes@example.co.uk",
    "team/a:b",
    "日本",
    "Ünïted – GmbH & Co. (2)",
    'quoted "twice" and \\ once \\"',
    "' OR 1=1 //",
    "AND NOT +x -y ~2 *?",
    "🙂",
    "---",
    "_",
    ".",
    "long " + "x" * 251,
    "漢字" * 128,
    "مساحة",
    "می‌خواهم",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_memory_of_any_name_is_kept_searched_repaired_and_erased(driver: Driver, name: str, dimensions: int) -> None:
    memory, vector = MemoRepair(driver, space=name), [1.0] * dimensions
    assert memory.space == name
    lines: list[dict[str, Any]] = [
        {"key": "msg", "kind": "record", "content": "a needle of Ann", "embedding": vector},
        {"key": "other", "kind": "record", "content": "a needle of the house"},
        {"key": "sum", "kind": "summary", "content": "a needle", "influenced_by": ["msg", "other"]},
    ]
    try:
        assert memory.load(lines).created == 3
        assert {hit.artifact.key for hit in memory.search("needle")} == {"msg", "other", "sum"}
        assert [hit.artifact.key for hit in memory.search(embedding=vector)] == ["msg"]
        assert memory.search("needle 漢字" * 300)
        report = memory.repair(RepairEvent.delete("msg"))
        assert report.outcomes == {"msg": "removed", "sum": "removed"}
        assert {entry["key"] for entry in memory.erase(report.event_id).erased} == {"msg", "sum"}
        assert [hit.artifact.key for hit in memory.search("needle")] == ["other"]
        assert [line.event_id for line in memory.events()] == [report.event_id]
        assert not memory.check().violations
    finally:
        driver.execute_query("MATCH (n {space: $space}) DETACH DELETE n", space=name)


ALIKE = ["/team a", "/TEAM/A", "/team:a", "/team a b", " team a", "/team-a", "/team/a "[:-1] + "/"]


def test_neighbours_with_names_alike_share_nothing_and_take_no_place(opened: Callable[..., MemoRepair]) -> None:
    """To a full-text index all of them are the words `team a`; each has better hits than the one that is asked."""
    asked = opened("/team/a")
    for place in ALIKE:
        neighbour = opened(place)
        neighbour.load({"key": f"k/{n}", "kind": "record", "content": "zebra"} for n in range(20))
        assert {hit.artifact.space for hit in neighbour.search("zebra", k=50)} == {neighbour.space}
    asked.load(
        {"key": f"k/{n}", "kind": "record", "content": f"a zebra among {n} words that make it longer"} for n in range(9)
    )
    assert [hit.artifact.space for hit in asked.search("zebra", k=5)] == [asked.space] * 5
    assert len(asked.search("zebra", k=50)) == 9
    assert asked.search("lion") == ()
    assert opened("/team").search("zebra") == ()


def test_a_name_is_one_tenant_in_whichever_normal_form_it_is_typed(opened: Callable[..., MemoRepair]) -> None:
    composed, decomposed = opened("/caf\u00e9"), opened("/cafe\u0301")
    assert composed.space == decomposed.space
    assert composed.space.endswith("\u00e9")
    composed.record("an espresso", key="k")
    assert decomposed.get("k") is not None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "1 to 256 characters"),
        ("   ", "1 to 256 characters"),
        ("x" * 257, "257 characters; the most is 256"),
        (" a", "white space around"),
        ("a\u3000", "white space around"),
        ("a\nb", "control character or a line break in its name, at position 1"),
        ("a\x00", "control character"),
        ("a\u2028b", "control character or a line break"),
        ("a\x7f", "control character"),
        ("a\ud800", "lone surrogate"),
        (5, "not by int"),
        (None, "not by NoneType"),
    ],
)
def test_what_cannot_name_a_space_is_refused_with_the_reason(driver: Driver, name: object, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        MemoRepair(driver, space=name)  # type: ignore[arg-type]


def test_256_characters_are_counted_as_a_reader_types_them() -> None:
    assert len(check_space("e\u0301" * 256)) == 256
    assert check_space("日" * 256) == "日" * 256
