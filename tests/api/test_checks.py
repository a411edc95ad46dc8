"""Each check finds the violation that it is there for, and nothing else finds anything; a clean space has none.

Violations are planted with plain Cypher, in this space alone, and taken back.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from neo4j import Driver

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.store.queries import library
from tests.harness.graph_state import planted

OPEN, CLOSED, UNPLANNED = "open", "closed", "unplanned"

A = "MATCH (a:Artifact {space: $space, key: 'leaf'})"
WHOLE = "kind: 'record', content: 'x', content_hash: 'h', created_at: datetime(), planted: true"
UNDO = "MATCH (n {planted: true}) WHERE n.space = $space DETACH DELETE n"
EDGE = "CREATE (p)-[:INFLUENCES {planted: true}]->(a)"
UNDO_EDGE = "MATCH ()-[r:INFLUENCES {planted: true}]->(:Artifact {space: $space}) DELETE r"
HIDE, SHOW = "REMOVE a:Visible SET a:Withdrawn", f"{A} SET a.held_by = 0, a:Visible REMOVE a:Withdrawn"
AFFECTED = "MATCH (e:RepairEvent {space: $space, id: 'closed'})-[r:AFFECTS]->()"
ERASED = "MATCH (a:Artifact {space: $space, key: 'erased'})"

PLANTED: dict[str, tuple[str, str, str]] = {
    "no state": ("one_state", f"{A} REMOVE a:Visible", f"{A} SET a:Visible"),
    "two states": ("one_state", f"{A} SET a:Retired", f"{A} REMOVE a:Retired"),
    "a parent out of service": (
        "visible_parents",
        f"MATCH (p:Artifact {{space: $space, key: 'gone'}}) {A} {EDGE}",
        UNDO_EDGE,
    ),
    "two live versions": (
        "one_live_version",
        "MATCH (e:RepairEvent {space: $space, id: 'open'}) CREATE (e)-[:AFFECTS {outcome: 'pending'}]->"
        f"(:Artifact:Withdrawn {{space: $space, key: 'leaf', id: $space + '2', version: 9, held_by: e.seq, {WHOLE}}})",
        UNDO,
    ),
    "an edge to history": (
        "edges",
        f"MATCH (p:Artifact {{space: $space, key: 'leaf'}}), (a:Artifact {{space: $space, key: 'gone'}}) {EDGE}",
        UNDO_EDGE,
    ),
    "an edge from another space": (
        "edges",
        f"MATCH (p:Visible {{space: $space + '_beside', key: 'root'}}) {A} {EDGE}",
        UNDO_EDGE,
    ),
    "a draft of a closed event": (
        "held",
        "MATCH (e:RepairEvent {space: $space, id: 'closed'}) CREATE "
        f"(:Artifact:Staged {{space: $space, key: 'leaf', id: $space + 'd', held_by: e.seq, {WHOLE}}})",
        UNDO,
    ),
    "searched by another text than its content": (
        "search_text",
        f"{A} SET a.was = a.search_text, a.search_text = 'another'",
        f"{A} SET a.search_text = a.was REMOVE a.was",
    ),
    "not searched": (
        "search_text",
        f"{A} SET a.was = a.search_text REMOVE a.search_text",
        f"{A} SET a.search_text = a.was REMOVE a.was",
    ),
    "held by nobody": ("held", f"{A} SET a.held_by = 99 {HIDE}", SHOW),
    "held by an event that does not reach it": (
        "held",
        f"{A} MATCH (e:RepairEvent {{space: $space, id: 'unplanned'}}) SET a.held_by = e.seq {HIDE}",
        SHOW,
    ),
    "a pending outcome": (
        "outcomes",
        f"{AFFECTED} SET r.was = r.outcome, r.outcome = 'pending'",
        f"{AFFECTED} SET r.outcome = r.was REMOVE r.was",
    ),
    **{
        f"erased, with {field}": ("erased", f"{ERASED} SET a.{field} = 'back'", f"{ERASED} REMOVE a.{field}")
        for field in ("content", "blob", "embedding", "recipe", "metadata", "content_hash")
    },
    **{
        f"{field} is {value}": (
            "properties",
            f"{A} SET a.was = a.{field}, a.touched = true, a.{field} = {value}",
            f"MATCH (a:Artifact {{space: $space, touched: true}}) SET a.{field} = a.was REMOVE a.was, a.touched",
        )
        for field, value in (
            ("id", "5"),
            ("id", "NULL"),
            ("key", "5"),
            ("kind", "'memory'"),
            ("arch", "'chain'"),
            ("held_by", "'0'"),
            ("held_by", "NULL"),
            ("created_at", "'yesterday'"),
            ("content", "NULL"),
            ("content", "[1]"),
            ("content_hash", "NULL"),
            ("version", "1.5"),
            ("value", "'3'"),
            ("cost", "-1"),
            ("value", "-5e-324"),
            ("value", "NaN"),
            ("cost", "INF"),
            ("embedding", "['a']"),
            ("recipe", "5"),
            ("metadata", "true"),
            ("tool", "7"),
        )
    },
    "nothing but a space": ("properties", "CREATE (:Artifact:Retired {space: $space, planted: true})", UNDO),
}
"""What is wrong → the check that finds it, the statement that plants it, the one that takes it back."""


@pytest.fixture
def clean(opened: Callable[..., MemoRepair]) -> MemoRepair:
    """Give a space with open events, a closed and an erased one, beside a space that has something of its own."""
    opened("_beside").record("elsewhere", key="root")
    mr = opened()
    for name in ("gone", "erased", "opened", "waiting", "root"):
        mr.record(f"what {name} says", key=name)
        mr.derive(f"of {name}", key=f"of/{name}", kind="summary", influenced_by=name, operator="digest@1")
    mr.record("leaf", key="leaf")
    mr.repair(RepairEvent.delete("erased", id="e"))
    mr.erase("e")
    mr.repair(RepairEvent.delete("gone", id=CLOSED))
    mr.withdraw(RepairEvent.delete("opened", id=OPEN))
    mr.withdraw(RepairEvent.delete("waiting", id=UNPLANNED))
    return mr


def test_each_check_finds_what_was_planted_and_a_clean_space_has_nothing(clean: MemoRepair, driver: Driver) -> None:
    assert clean.check().violations == ()
    for name, (check, plant, undo) in PLANTED.items():
        with planted(clean, plant, undo):
            found = {violation.check for violation in clean.check().violations}
            beside = MemoRepair(driver, space=clean.space + "_beside").check().violations
        assert check in found, name
        assert beside == (), name
    assert clean.check().violations == ()


@pytest.mark.parametrize("figure", [-0.0, 0, 5e-324, 2**53, 1.7976931348623157e308])
def test_a_figure_that_may_be_stored_is_no_violation(mr: MemoRepair, figure: float) -> None:
    read = mr.record("leaf", key="leaf", value=figure, cost=figure)
    assert (read.value, read.cost) == (figure, figure)
    assert mr.check().violations == ()


def test_every_check_has_something_planted_for_it() -> None:
    checks = {name.removeprefix("check/") for name in library() if name.startswith("check/")}
    assert {check for check, _, _ in PLANTED.values()} == checks


def test_a_circle_is_a_warning_and_names_those_on_it(clean: MemoRepair) -> None:
    clean.link("leaf", "root")
    clean.link("of/root", "leaf")
    report = clean.check()
    assert report.violations == ()
    assert {warning.key for warning in report.warnings} == {"leaf", "root", "of/root"}
    assert {warning.check for warning in report.warnings} == {"circle"}
