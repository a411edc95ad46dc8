"""`get`, `versions` and `why`: what is in service, what was, and the reason.

What is out of service is never given as in service, and its reason names the event and the way.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import NotFound
from memorepair_graphdb.model.artifact import State
from tests.harness.graph_state import rows


@pytest.fixture
def told(mr: MemoRepair) -> MemoRepair:
    """Give a chain root → middle → leaf."""
    mr.record("root", key="root")
    mr.derive(
        "middle", key="middle", kind="summary", influenced_by={"key": "root", "role": "text"}, operator="digest@1"
    )
    mr.derive("leaf", key="leaf", kind="summary", influenced_by="middle", operator="digest@1")
    return mr


def test_what_is_in_service_says_so_with_its_sources(told: MemoRepair) -> None:
    found = told.why("middle")
    live = told.get("middle")
    root = told.get("root")
    assert live is not None
    assert root is not None
    assert (found.in_service, found.state, found.id, found.version) == (True, "Visible", live.id, 1)
    assert found.sentence == "middle (version 1) is in service"
    assert found.sources == ({"key": "root", "id": root.id, "state": "Visible", "role": "text", "required": None},)
    assert (found.event_id, found.outcome, found.path) == (None, None, ())


def test_what_is_withdrawn_names_event_reason_and_the_way_from_the_root(told: MemoRepair) -> None:
    told.withdraw(RepairEvent.delete("root", reason="asked to", id="e"))
    found = told.why("leaf")
    assert (found.in_service, found.state, found.event_id, found.outcome) == (False, "Withdrawn", "e", None)
    assert found.path == ("root", "middle", "leaf")
    assert found.sentence == "leaf (version 1) was withdrawn by event e (delete: asked to), which has no plan yet"
    assert told.get("leaf") is None
    told.resume("e")
    assert told.why("leaf").outcome == "removed"
    assert "was retired by event e" in told.why("leaf").sentence


def test_every_version_is_listed_newest_first(told: MemoRepair) -> None:
    first = told.get("root")
    assert first is not None
    told.repair(RepairEvent.correct({"root": "mended"}, id="e"))
    versions = told.versions("leaf")
    assert [(v.version, v.state) for v in versions] == [(2, State.VISIBLE), (1, State.RETIRED)]
    assert [(v["version"], v["state"]) for v in told.why("leaf").versions] == [(2, "Visible"), (1, "Retired")]
    by_id = told.why(first.id)
    assert (by_id.version, by_id.state, by_id.outcome) == (1, "Retired", "replaced")


def test_other_labels_on_our_nodes_are_not_mistaken_for_states(told: MemoRepair) -> None:
    rows(told, "MATCH (a:Artifact {space: $space}) SET a:Favourite:Aaa")
    found = told.why("middle")
    assert (found.state, found.sources[0]["state"], found.versions[0]["state"]) == ("Visible", "Visible", "Visible")
    assert told.get("middle") is not None


@pytest.mark.parametrize("ref", ["nothing", "", "a_" + "0" * 32, "`; MATCH (n) DETACH DELETE n //"])
def test_what_is_not_there_is_none_or_said_to_be_unknown(told: MemoRepair, ref: str) -> None:
    assert told.get(ref) is None
    assert told.versions(ref) == ()
    with pytest.raises(NotFound, match="is no artifact of space"):
        told.why(ref)
    with pytest.raises(NotFound, match="no event"):
        told.status(ref)


def test_a_neighbour_sees_nothing(told: MemoRepair, opened: Callable[..., MemoRepair]) -> None:
    neighbour = opened("_beside")
    live = told.get("root")
    assert live is not None
    assert neighbour.get("root") is None
    assert neighbour.versions("root") == ()
    for ref in ("root", live.id):
        with pytest.raises(NotFound):
            neighbour.why(ref)
