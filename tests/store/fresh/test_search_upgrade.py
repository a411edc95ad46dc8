"""A database of schema version 1, whose contents were searched as spelt, is brought to this version by `setup`.

Every test starts with an empty database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import NotFound
from memorepair_graphdb.store import schema, upgrade
from tests.store.fresh.test_setup import rows

if TYPE_CHECKING:
    from neo4j import Driver

COUNT = 25

_OLD_INDEX = "CREATE FULLTEXT INDEX memorepair_visible_text FOR (a:Visible) ON EACH [a.content, a.space]"
_AS_BEFORE = "MATCH (a:Artifact) REMOVE a.search_text"
_LACKING = "MATCH (a:Visible) WHERE a.search_text IS NULL RETURN count(a) AS lacking"
_NAMES = "SHOW FULLTEXT INDEXES YIELD name RETURN name"


@pytest.fixture
def old(empty: Driver) -> Driver:
    """Give a database as version 1 left it, with two spaces that hold something."""
    for space in ("one", "two"):
        with MemoRepair(empty, space=space) as mr:
            mr.load({"key": f"k/{n}", "kind": "record", "content": f"Zu\u0308rich {n}"} for n in range(COUNT))
            mr.repair(RepairEvent.delete("k/0"))
    for statement in (_AS_BEFORE, "DROP INDEX memorepair_search_text", _OLD_INDEX):
        empty.execute_query(statement)
    empty.execute_query("MATCH (s:MemoRepairSchema) SET s.version = 1")
    return empty


def test_setup_brings_a_database_of_version_1_to_this_one(old: Driver) -> None:
    one, two = (MemoRepair(old, space=space) for space in ("one", "two"))
    with pytest.raises(NotFound, match="memorepair setup"):
        one.search("Zürich")
    assert {violation.check for violation in one.check().violations} == {"search_text"}
    one.setup()
    for mr in (one, two):  # the index is the database's, so the other space is brought along
        assert len(mr.search("zürich", k=100)) == COUNT - 1
        assert mr.check().violations == ()
    assert rows(old, _NAMES) == [{"name": "memorepair_search_text"}]
    assert rows(old, "MATCH (s:MemoRepairSchema) RETURN s.version AS version") == [{"version": schema.SCHEMA_VERSION}]
    retired = rows(old, "MATCH (a:Retired) RETURN a.search_text AS text")
    assert [row["text"] for row in retired] == [None, None], "what is out of service is not made searchable"


def test_an_upgrade_that_is_cut_off_finds_nothing_by_half_and_goes_on(
    old: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrade, "NODES", 10)
    seen: list[tuple[int, int]] = []

    def cut_off(step: str, done: int, of: int) -> None:
        seen.append((done, of))
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        MemoRepair(old, space="one", progress=cut_off).setup()
    total = 2 * (COUNT - 1)
    assert seen == [(10, total), (20, total)]
    assert rows(old, _LACKING) == [{"lacking": total - 20}]
    with pytest.raises(NotFound, match="memorepair setup"):
        MemoRepair(old, space="one").search("zürich")
    seen.clear()
    mr = MemoRepair(old, space="one", progress=lambda step, done, of: seen.append((done, of)))
    mr.setup()
    assert seen == [(10, total - 20), (20, total - 20), (total - 20, total - 20)]
    assert len(mr.search("zürich", k=100)) == COUNT - 1


def test_what_leaves_service_after_it_was_listed_is_left_alone(old: Driver) -> None:
    mr = MemoRepair(old, space="one")
    listed = [node for node, _ in mr.transactions.read(schema.unsearchable)]
    report = mr.repair(RepairEvent.delete(["k/1", "k/2"]))
    mr.erase(report.event_id)
    assert mr.transactions.write(schema.make_searchable, listed) == len(listed) - 2
    assert rows(old, "MATCH (a:Retired) WHERE a.search_text IS NOT NULL RETURN a.key") == []


def test_a_batch_is_bounded_in_characters_too(old: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrade, "CHARACTERS", 100)
    seen: list[int] = []
    MemoRepair(old, space="one", progress=lambda step, done, of: seen.append(done)).setup()
    assert max(after - before for before, after in zip([0, *seen], seen, strict=False)) <= 100 // len("Zürich 1")
    assert rows(old, _LACKING) == [{"lacking": 0}]
