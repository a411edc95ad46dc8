"""`setup`: idempotent, from several processes at once, and refused where the database is newer than the program.

Every test starts with an empty database.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput, NotFound, OutOfService, Unsuited
from memorepair_graphdb.store import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import Driver

    from tests.harness.server import Server

PROCESSES = 5
TURNS = [0, *(pytest.param(turn, marks=pytest.mark.torture) for turn in range(1, 10))]

SET_UP = """
import sys, time
from memorepair_graphdb import MemoRepair
uri, user, password, space, start = sys.argv[1:]
with MemoRepair.connect(uri, auth=(user, password), space=space) as mr:
    time.sleep(max(0.0, float(start) - time.time()))
    print(mr.setup(dimensions=3))
    print(mr.record("said by all", key="k").id)
"""

RECORD_FIRST = SET_UP.replace("    print(mr.setup(dimensions=3))\n", "")

_RULES = "SHOW INDEXES YIELD name, state, type WHERE type <> 'LOOKUP' RETURN name, state ORDER BY name"
_GATES = "MATCH (g:Gate) RETURN g.space AS space, count(g) AS gates, collect(g.tombstone_key) AS keys ORDER BY space"
_VERSIONS = "MATCH (s:MemoRepairSchema) RETURN collect(s.version) AS versions"


def rows(driver: Driver, statement: str, **params: Any) -> list[dict[str, Any]]:
    return [record.data() for record in driver.execute_query(statement, parameters_=params).records]


def at_once(server: Server, program: str) -> list[str]:
    """What the processes print that run a program, all from one moment on; none fails."""
    start = str(time.time() + 6)
    arguments = [server.uri, server.username, server.password, "shared", start]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(PROCESSES)
    ]
    printed = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [0] * PROCESSES, printed
    return [out for out, _ in printed]


def test_setup_makes_everything_and_can_be_repeated(empty: Driver) -> None:
    mr = MemoRepair(empty, space="one")
    assert mr.setup().startswith("Neo4j 20")
    rules = rows(empty, _RULES)
    assert [rule["state"] for rule in rules] == ["ONLINE"] * len(schema.PLAIN_SCHEMA)
    gates = rows(empty, _GATES)
    assert mr.setup() == mr.setup()
    assert (rows(empty, _RULES), rows(empty, _GATES)) == (rules, gates)
    assert [(gate["space"], gate["gates"], len(gate["keys"])) for gate in gates] == [("one", 16, 1)]
    assert rows(empty, _VERSIONS) == [{"versions": [schema.SCHEMA_VERSION]}]


def test_two_spaces_have_two_keys_for_their_tombstones(empty: Driver) -> None:
    for space in ("one", "two"):
        MemoRepair(empty, space=space).setup()
    one, two = rows(empty, _GATES)
    assert one["keys"] != two["keys"]


@pytest.mark.parametrize("turn", TURNS)
def test_processes_that_set_up_an_empty_database_at_once_all_succeed(
    empty: Driver, fresh_server: Server, turn: int
) -> None:
    assert len(set(at_once(fresh_server, SET_UP))) == 1, "they agree on the server and on the one record"
    assert len(rows(empty, _RULES)) == len(schema.PLAIN_SCHEMA) + 1
    assert [(gate["space"], gate["gates"], len(gate["keys"])) for gate in rows(empty, _GATES)] == [("shared", 16, 1)]
    assert rows(empty, _VERSIONS) == [{"versions": [schema.SCHEMA_VERSION]}]


def test_a_database_with_a_newer_schema_is_refused_and_left_alone(empty: Driver, fresh_server: Server) -> None:
    mr = MemoRepair(empty, space="one")
    mr.setup()
    empty.execute_query("MATCH (s:MemoRepairSchema) SET s.version = 99")
    late = MemoRepair(empty, space="two")
    said = "schema version 99, and this program knows 2: upgrade memorepair-graphdb"
    for call in (late.setup, lambda: late.record("x", key="k"), lambda: MemoRepair(empty, space="one").load([])):
        with pytest.raises(Unsuited, match=said):
            call()
    with pytest.raises(Unsuited, match=said):
        MemoRepair.connect(fresh_server.uri, auth=(fresh_server.username, fresh_server.password), space="one")
    assert [gate["space"] for gate in rows(empty, _GATES)] == ["one"]


def test_nothing_is_declared_in_a_database_that_is_too_new(empty: Driver) -> None:
    empty.execute_query("CREATE (:MemoRepairSchema {name: 'memorepair', version: 3})")
    with pytest.raises(Unsuited):
        MemoRepair(empty, space="one").setup()
    assert rows(empty, _RULES) == []


def test_an_older_schema_version_is_raised(empty: Driver) -> None:
    empty.execute_query("CREATE (:MemoRepairSchema {name: 'memorepair', version: 0})")
    MemoRepair(empty, space="one").setup()
    assert rows(empty, _VERSIONS) == [{"versions": [schema.SCHEMA_VERSION]}]


def test_before_setup_nothing_is_there_and_the_way_is_said(empty: Driver) -> None:
    mr = MemoRepair(empty, space="one")
    assert (mr.get("k"), mr.versions("k"), mr.events(), mr.open_events()) == (None, (), (), ())
    assert mr.search(embedding=[1.0, 2.0]) == ()
    for call in (
        lambda: mr.search("x"),
        lambda: mr.preview(RepairEvent.delete("k")),
        lambda: mr.withdraw(RepairEvent.delete("k")),
        lambda: mr.erase("e"),
    ):
        with pytest.raises(NotFound, match="memorepair setup"):
            call()
    with pytest.raises(NotFound):
        mr.link("a", "b")
    assert rows(empty, "MATCH (n) RETURN n") == []


def test_the_first_embedding_makes_the_index_and_is_found_at_once(empty: Driver) -> None:
    mr = MemoRepair(empty, space="one")
    mr.setup()
    mr.record("plain", key="plain")
    mr.record("x", key="k", embedding=[1.0, 2.0, 3.0])
    assert [hit.artifact.key for hit in mr.search(embedding=[1.0, 2.0, 3.0])] == ["k"]
    for call in (
        lambda: mr.record("y", key="l", embedding=[1.0, 2.0]),
        lambda: mr.setup(dimensions=2),
        lambda: mr.search(embedding=[1.0]),
    ):
        with pytest.raises(BadInput, match="vector index takes 3"):
            call()
    assert mr.setup(dimensions=3)


def test_the_first_embeddings_may_come_from_a_file(empty: Driver) -> None:
    mr = MemoRepair(empty, space="one")
    mr.setup()
    with pytest.raises(BadInput, match="line 3: its embedding has 2 numbers, and most lines have 3"):
        mr.load(
            [
                {"key": f"k/{n}", "kind": "record", "content": "x", "embedding": [1.0] * size}
                for n, size in enumerate((3, 3, 2))
            ]
        )
    assert len(rows(empty, _RULES)) == len(schema.PLAIN_SCHEMA), "what was refused declared nothing"
    mr.load([{"key": "k", "kind": "record", "content": "x", "embedding": [1.0, 0.0]}])
    assert [hit.artifact.key for hit in mr.search(embedding=[1.0, 0.0])] == ["k"]


FIRST_CALLS: dict[str, Callable[[MemoRepair], object]] = {
    "record": lambda mr: mr.record("x", key="k"),
    "load": lambda mr: mr.load([{"key": "k", "kind": "record", "content": "x"}]),
    "record, embedded": lambda mr: mr.record("x", key="k", embedding=[1.0, 2.0]),
    "load, embedded": lambda mr: mr.load([{"key": "k", "kind": "record", "content": "x", "embedding": [1.0, 2.0]}]),
}


@pytest.mark.parametrize("first", FIRST_CALLS)
def test_the_first_write_sets_up_what_setup_would(empty: Driver, first: str) -> None:
    mr = MemoRepair(empty, space="one")
    FIRST_CALLS[first](mr)
    assert [hit.artifact.key for hit in mr.search("x")] == ["k"]
    assert mr.check().violations == ()
    rules, gates = rows(empty, _RULES), rows(empty, _GATES)
    assert len(rules) == len(schema.PLAIN_SCHEMA) + ("embedded" in first)
    assert rows(empty, _VERSIONS) == [{"versions": [schema.SCHEMA_VERSION]}]
    mr.setup()
    assert (rows(empty, _RULES), rows(empty, _GATES)) == (rules, gates)


def test_the_first_write_of_another_space_opens_it_and_declares_nothing(empty: Driver) -> None:
    MemoRepair(empty, space="one").record("x", key="k")
    empty.execute_query("DROP INDEX memorepair_search_text")
    MemoRepair(empty, space="two").record("x", key="k")
    assert [(gate["space"], gate["gates"], len(gate["keys"])) for gate in rows(empty, _GATES)] == [
        ("one", 16, 1),
        ("two", 16, 1),
    ]
    assert len(rows(empty, _RULES)) == len(schema.PLAIN_SCHEMA) - 1


def test_a_first_derivation_is_refused_for_its_source_and_not_for_want_of_a_setup(empty: Driver) -> None:
    mr = MemoRepair(empty, space="one")
    with pytest.raises(OutOfService, match="root"):
        mr.derive("x", key="k", kind="summary", influenced_by="root")
    assert (mr.versions("k"), mr.check().violations) == ((), ())


def test_a_first_write_that_is_wrong_by_itself_sets_nothing_up(empty: Driver) -> None:
    mr = MemoRepair(empty, space="one")
    for call in (
        lambda: mr.record(None, key="k"),
        lambda: mr.derive("x", key="k", kind="none", influenced_by=[]),  # type: ignore[arg-type]
        lambda: mr.load(["no JSON"]),
    ):
        with pytest.raises(BadInput):
            call()
    assert rows(empty, _RULES) == []
    assert rows(empty, "MATCH (n) RETURN n") == []


@pytest.mark.parametrize("turn", TURNS)
def test_processes_whose_first_write_meets_an_empty_database_at_once_all_succeed(
    empty: Driver, fresh_server: Server, turn: int
) -> None:
    statements = at_once(fresh_server, RECORD_FIRST)
    assert len(set(statements)) == 1, "they agree on the one record"
    assert len(rows(empty, _RULES)) == len(schema.PLAIN_SCHEMA)
    assert [(gate["space"], gate["gates"], len(gate["keys"])) for gate in rows(empty, _GATES)] == [("shared", 16, 1)]
    assert rows(empty, _VERSIONS) == [{"versions": [schema.SCHEMA_VERSION]}]


@pytest.mark.parametrize("dimensions", [0, -1, 4097, 2.0, "3", True])
def test_a_length_that_no_index_takes_is_refused_before_anything_is_declared(empty: Driver, dimensions: Any) -> None:
    with pytest.raises(BadInput, match="dimensions is a whole number from 1 to 4,096"):
        MemoRepair(empty, space="one").setup(dimensions=dimensions)
    assert rows(empty, _RULES) == []
