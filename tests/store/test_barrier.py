"""What a barrier does to the graph.

Every claim is about what is there after the barrier returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neo4j import Driver, Query

from memorepair_graphdb.model.artifact import Artifact, Source
from memorepair_graphdb.model.event import RepairEvent
from memorepair_graphdb.store import artifacts, search
from memorepair_graphdb.store.queries import query
from tests.harness.store_space import CONTRACT, Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

WALKS = ["barrier/withdraw", "cascade/of_event", "cascade/of_roots"]


def _operators(plan: dict) -> Iterator[str]:
    yield plan["operatorType"].removesuffix("@neo4j")
    for child in plan.get("children", []):
        yield from _operators(child)


@pytest.mark.parametrize("name", WALKS)
def test_a_cascade_is_walked_by_one_pruning_breadth_first_search(driver: Driver, dimensions: int, name: str) -> None:
    statement = query(name)
    text = statement.text.replace("CYPHER 25\n", "CYPHER 25 EXPLAIN\n")
    assert text != statement.text
    given = {**dict.fromkeys(statement.params, ""), "roots": ["a", "b"], "replacements": []}
    with driver.session() as session:
        plan = session.run(Query(text), given).consume().plan
    assert plan is not None
    walks = [operator for operator in _operators(plan) if "VarLength" in operator]
    assert walks == ["VarLengthExpand(Pruning,BFS,All)"]


def _two_trees(memory: Memory, tool: bool) -> dict[str, str]:
    """Two roots, what comes from each, from both, and from neither; key → id."""
    one = memory.record("one", tool="weather" if tool else None)
    two = memory.record("two", tool="t2" if tool else None)
    aside = memory.record("aside")
    left = memory.derive("left", one)
    right = memory.derive("right", two, aside)
    both = memory.derive("both", left, right)
    free = memory.derive("free", aside)
    return {made.key: made.id for made in (one, two, aside, left, right, both, free)}


@pytest.mark.parametrize("named", ["key", "id"])
@pytest.mark.parametrize("kind", ["delete", "correct", "migrate"])
def test_several_roots_leave_service_with_all_that_came_from_them(memory: Memory, kind: str, named: str) -> None:
    ids = _two_trees(memory, tool=kind == "migrate")
    roots = [ids[key] if named == "id" else key for key in ("one", "two")]
    event = {
        "delete": lambda: RepairEvent.delete(roots),
        "correct": lambda: RepairEvent.correct({roots[0]: "new one", roots[1]: "new two"}),
        "migrate": lambda: RepairEvent.migrate({roots[0]: CONTRACT, roots[1]: None}),
    }[kind]()
    done = memory.withdraw(event)
    assert (done.affected, done.seq, done.repeated) == (5, 1, False)
    assert [memory.states(key) for key in ("left", "right", "both")] == [{1: "Withdrawn"}] * 3
    assert [memory.states(key) for key in ("aside", "free")] == [{1: "Visible"}] * 2
    back = {"delete": [], "correct": ["one", "two"], "migrate": ["one"]}[kind]
    for key in ("one", "two"):
        assert memory.states(key) == {1: "Retired", **({2: "Visible"} if key in back else {})}
    assert memory.edges("SUPERSEDES") == {(f"{key} 2", "SUPERSEDES", f"{key} 1") for key in back}


def test_nothing_of_the_cascade_is_found_after_the_barrier_returned(memory: Memory, dimensions: int) -> None:
    vector = [1.0] + [0.0] * (dimensions - 1)
    doc = memory.record("doc", "sunflower seeds", embedding=vector)
    note = memory.derive("note", doc, content="sunflower oil", embedding=vector)
    other = memory.record("other", "sunflower field", embedding=[0.5] * dimensions)
    memory.derive("far", note, other, content="sunflower bread", embedding=vector)

    def found() -> list[set[str]]:
        by_text = memory.db.read(search.by_text, memory.space, "sunflower", 9)
        by_vector = memory.db.read(search.by_embedding, memory.space, vector, 9)
        plain = memory.rows("MATCH (a:Visible) WHERE a.space = $space RETURN a.key AS key")
        got = {key for key in ("doc", "note", "far", "other") if memory.get(key)}
        hits = [{hit.artifact.key for hit in hits} for hits in (by_text, by_vector)]
        return [*hits, {row["key"] for row in plain}, got]

    assert found() == [{"doc", "note", "far", "other"}] * 4
    memory.withdraw(RepairEvent.delete("doc"))
    assert found() == [{"other"}] * 4


def test_the_same_event_with_the_same_request_changes_nothing_and_says_the_same(memory: Memory) -> None:
    memory.derive("note", memory.record("doc"))
    event = RepairEvent.correct({"doc": "new"})
    first = memory.withdraw(event)
    before = memory.dump()
    again = memory.withdraw(event)
    assert (again.event_id, again.seq, again.affected) == (first.event_id, first.seq, first.affected)
    assert again.repeated
    assert memory.dump() == before


def test_events_of_a_space_are_numbered_in_the_order_of_their_barriers(memory: Memory, driver: Driver) -> None:
    beside = Memory(driver, f"{memory.space}_2")
    for space in (memory, beside):
        for key in ("a", "b", "c"):
            space.record(key)
    assert [memory.withdraw(RepairEvent.delete(key)).seq for key in ("a", "b")] == [1, 2]
    assert beside.withdraw(RepairEvent.delete("c")).seq == 1
    assert beside.states("a") == {1: "Visible"}


@pytest.mark.parametrize("named", ["key", "id"])
def test_a_root_that_is_withdrawn_already_may_be_deleted_for_good(memory: Memory, named: str) -> None:
    doc = memory.record("doc")
    note = memory.derive("note", doc)
    memory.derive("leaf", note)
    memory.withdraw(RepairEvent.correct({"doc": "new"}))
    done = memory.withdraw(RepairEvent.delete(note.id if named == "id" else "note"))
    assert (done.seq, done.affected) == (2, 2)
    assert memory.states("note") == {1: "Retired"}
    holders = memory.rows("MATCH (a:Withdrawn) WHERE a.space = $space RETURN a.key AS key, a.held_by AS seq")
    assert [row.data() for row in holders] == [{"key": "leaf", "seq": 2}]


def test_a_cascade_walks_circles_once_and_semantic_and_past_edges_never(memory: Memory) -> None:
    doc, other = memory.record("doc"), memory.record("other")
    one = memory.derive("one", doc)
    memory.derive("two", one)
    memory.derive("near", other)
    memory.db.barrier(artifacts.link, memory.space, "two", "one", "quotes", None)
    memory.rows(
        "MATCH (a:Visible {space: $space, key: 'two'}), (b:Visible {space: $space, key: 'near'})"
        " CREATE (a)-[:SEMANTIC {score: 0.9}]->(b) RETURN 1"
    )
    assert memory.withdraw(RepairEvent.correct({"two": "new"})).affected == 2  # the circle, not the root of its root
    assert memory.states("near") == {1: "Visible"}
    assert memory.withdraw(RepairEvent.delete("doc")).affected == 2  # doc and one: two's old version is history
    assert memory.states("two") == {1: "Retired", 2: "Visible"}


def test_a_corrected_derived_artifact_keeps_what_is_in_service_and_loses_its_operator(memory: Memory) -> None:
    kept, root, gone = memory.record("kept"), memory.record("root"), memory.record("gone")
    middle = memory.derive("middle", root)
    sources: list[Artifact | Source] = [Source(ref=kept.id, role="first", required=True), root, middle, gone]
    memory.derive("note", *sources, arch="chain", value=3.0, cost=5.0)
    memory.withdraw(RepairEvent.correct({"root": "new root", "note": "by hand"}))
    note = memory.get("note")
    assert note is not None
    assert (note.version, note.content, note.kind, note.arch) == (2, "by hand", "skill", "chain")
    assert (note.operator, note.recipe, note.value, note.cost) == (None, None, 3.0, 5.0)
    into = {edge for edge in memory.edges("INFLUENCES") if edge[2].startswith("note")}
    assert into == {(source, "INFLUENCES", "note 2") for source in ("kept 1", "gone 1", "root 2")}
    roles = memory.rows(
        "MATCH ({key: 'kept'})-[r]->(n) WHERE n.space = $space RETURN type(r) AS t, r.role AS x, r.required AS y"
    )
    assert sorted(tuple(row) for row in roles) == [("INFLUENCED", "first", True), ("INFLUENCES", "first", True)]


def test_edges_into_a_retired_root_become_history(memory: Memory) -> None:
    doc = memory.record("doc")
    note = memory.derive("note", Source(ref=doc.id, role="page", required="any"))
    memory.derive("leaf", note)
    memory.withdraw(RepairEvent.delete("note"))
    assert memory.edges() == {("doc 1", "INFLUENCED", "note 1"), ("note 1", "INFLUENCES", "leaf 1")}
    edge = memory.rows("MATCH ({space: $space, key: 'doc'})-[r]->() RETURN properties(r) AS about")[0]["about"]
    assert edge == {"role": "page", "required": "any"}


def test_what_comes_after_a_deletion_is_the_next_version(memory: Memory) -> None:
    memory.record("doc")
    memory.withdraw(RepairEvent.correct({"doc": "second"}))
    memory.withdraw(RepairEvent.delete("doc"))
    assert memory.record("doc", "third").version == 3
    assert memory.states("doc") == {1: "Retired", 2: "Retired", 3: "Visible"}
    assert memory.edges() == {("doc 2", "SUPERSEDES", "doc 1"), ("doc 3", "SUPERSEDES", "doc 2")}


def test_drafts_that_rest_on_what_is_withdrawn_are_dropped_with_their_text(memory: Memory) -> None:
    doc, support = memory.record("doc"), memory.record("support")
    memory.derive("note", doc)
    memory.withdraw(RepairEvent.delete("doc"))
    memory.lay_draft("leaf", memory.lay_draft("note", support.id))
    done = memory.withdraw(RepairEvent.correct({"support": "new"}))
    assert done.affected == 1  # drafts were never in service
    drafts = memory.rows("MATCH (a:Retired) WHERE a.space = $space AND a.version IS NULL RETURN a.content AS content")
    assert [row["content"] for row in drafts] == [None, None]
    assert {edge for edge in memory.edges("INFLUENCES", "INFLUENCED") if edge[2] in ("note 0", "leaf 0")} == {
        ("support 1", "INFLUENCED", "note 0"),
        ("note 0", "INFLUENCED", "leaf 0"),
    }
    assert memory.states("note") == {None: "Retired", 1: "Withdrawn"}


def test_a_retired_tool_leaves_no_contract_and_a_new_contract_takes_its_place(memory: Memory) -> None:
    for tool in ("weather", "maps"):
        memory.record(f"doc/{tool}", tool=tool)
    memory.withdraw(RepairEvent.migrate({"doc/weather": CONTRACT, "doc/maps": None}))
    in_force = memory.rows("MATCH (a:Visible) WHERE a.space = $space RETURN a.tool AS tool, a.version AS version")
    assert [row.data() for row in in_force] == [{"tool": "weather", "version": 2}]
    named = memory.rows(
        "MATCH (:RepairEvent {space: $space})-[r:ROOT]->(a) RETURN a.tool AS tool, r.replaced AS replaced"
    )
    assert {row["tool"]: row["replaced"] for row in named} == {"weather": True, "maps": None}
