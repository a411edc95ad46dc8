"""What `link` says after the fact, and each of its refusals.

An influence edge counts for every cascade from its commit on.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput, NotFound, OutOfService
from tests.harness.graph_state import refused, rows

_EDGES = """
MATCH (p)-[r:INFLUENCES]->(c:Artifact {space: $space})
RETURN p.key AS source, c.key AS target, r.role AS role, r.required AS required ORDER BY source, target, role
"""


@pytest.fixture
def pair(mr: MemoRepair) -> MemoRepair:
    """Give a memory with two records in service."""
    mr.record("one", key="a")
    mr.record("two", key="b")
    return mr


def test_a_linked_artifact_is_in_the_cascade(pair: MemoRepair) -> None:
    pair.link("a", "b", role="quote", required=True)
    assert rows(pair, _EDGES) == [{"source": "a", "target": "b", "role": "quote", "required": True}]
    assert pair.preview(RepairEvent.delete("a")).cascade == ("a", "b")


def test_saying_it_again_adds_nothing_and_another_role_adds_an_edge(pair: MemoRepair) -> None:
    source, target = pair.get("a"), pair.get("b")
    assert source is not None
    assert target is not None
    for _ in range(2):
        pair.link(source, target.id)
        pair.link("a", target, role="r", required="any")
    assert [edge["role"] for edge in rows(pair, _EDGES)] == ["r", None]


def test_a_withdrawn_target_may_be_linked(pair: MemoRepair) -> None:
    pair.derive("c", key="c", kind="summary", influenced_by="a", operator="digest@1")
    pair.withdraw(RepairEvent.delete("a", id="e"))
    pair.link("b", "c")
    assert pair.resume("e").outcomes["c"] == "published"
    assert [edge["source"] for edge in rows(pair, _EDGES)] == ["b"]


def test_a_circle_is_legal_and_check_warns_of_it(pair: MemoRepair) -> None:
    pair.link("a", "b")
    pair.link("b", "a")
    report = pair.check()
    assert report.violations == ()
    assert {warning.key for warning in report.warnings} == {"a", "b"}


def test_nothing_influences_itself(pair: MemoRepair) -> None:
    live = pair.get("a")
    assert live is not None
    with refused(pair, BadInput, "a cannot influence itself"):
        pair.link("a", "a")
    with refused(pair, BadInput, "cannot influence itself"):
        pair.link(live, "a")


def test_both_ends_are_in_this_space(pair: MemoRepair, opened: Callable[..., MemoRepair]) -> None:
    stranger = opened("_beside").record("c", key="c")
    for source, target, named in (
        ("a", stranger, stranger.id),
        (stranger, "b", stranger.id),
        ("a", "c", "c"),
        ("c", "b", "c"),
    ):
        with refused(pair, NotFound, f"{named} is no artifact of this space"):
            pair.link(source, target)


def test_the_source_is_in_service_and_the_target_is_no_history(pair: MemoRepair) -> None:
    old = pair.get("a")
    assert old is not None
    pair.derive("c", key="c", kind="summary", influenced_by="b")
    pair.repair(RepairEvent.correct({"a": "mended"}))
    with refused(pair, OutOfService, "a", old.id, "is history, it is not changed"):
        pair.link("c", old)
    with refused(pair, OutOfService, "a", old.id, "is out of service"):
        pair.link(old, "c")
    pair.withdraw(RepairEvent.delete("b", id="e"))
    with refused(pair, OutOfService, "c", "is out of service"):
        pair.link("c", "a")
    pair.resume("e")


@pytest.mark.parametrize("said", [{"role": ""}, {"role": "a\nb"}, {"role": 5}, {"required": "all"}, {"required": 1}])
def test_a_role_is_a_name_and_required_is_one_of_four(pair: MemoRepair, said: dict[str, object]) -> None:
    with refused(pair, BadInput, next(iter(said))):
        pair.link("a", "b", **said)  # type: ignore[arg-type]
