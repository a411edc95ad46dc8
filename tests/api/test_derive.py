"""What `derive` puts into service, what it keeps withdrawn on request, and each of its refusals.

A source that was read and has left service since is named, with its visible successor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent, Source
from memorepair_graphdb.errors import BadInput, KeyTaken, NotFound, OutOfService, Tombstoned
from memorepair_graphdb.model.artifact import Arch, State
from memorepair_graphdb.store.queries import query
from tests.harness.graph_state import refused, rows
from tests.harness.lines import CONTRACT

_EDGES = """
MATCH (p)-[r:INFLUENCES]->(:Artifact {space: $space, key: $key})
RETURN p.key AS key, r.role AS role, r.required AS required ORDER BY key, role
"""


def derive(mr: MemoRepair, *sources: Any, key: str = "child", **about: Any) -> Any:
    said = {"content": "what came of it", "kind": "summary", "operator": "digest@1", **about}
    return mr.derive(key=key, influenced_by=list(sources), **said)


def test_a_derivation_comes_back_as_it_was_given(mr: MemoRepair) -> None:
    root = mr.record("root", key="root")
    recipe = {"z": 1, "a": {"ü": None}}
    made = derive(mr, root, kind="skill", arch="neural", recipe=recipe, blob=b"\0\xff", content='{"m":1}', cost=0.5)
    assert mr.get("child") == made
    assert (made.arch, made.blob, made.recipe, made.operator, made.cost) == (
        Arch.NEURAL,
        b"\0\xff",
        recipe,
        "digest@1",
        0.5,
    )
    assert made.version == 1


def test_edges_carry_role_and_requirement_and_a_source_said_twice_is_one(mr: MemoRepair) -> None:
    root, other = mr.record("root", key="root"), mr.record("other", key="other")
    any_of = Source(ref=other.id, role="request", required="any")
    derive(mr, root, "root", root.id, {"key": "root", "role": "r", "required": True}, any_of, any_of)
    assert rows(mr, _EDGES, key="child") == [
        {"key": "other", "role": "request", "required": "any"},
        {"key": "root", "role": "r", "required": True},
        {"key": "root", "role": None, "required": None},
    ]


def test_one_source_needs_no_list(mr: MemoRepair) -> None:
    root = mr.record("root", key="root")
    sources: list[Any] = [root, "root", root.id, {"key": "root"}, Source(ref="root")]
    for number, source in enumerate(sources):
        made = mr.derive("x", key=f"c/{number}", kind="cache", influenced_by=source)
        assert made.visible


def test_a_source_that_contradicts_itself_is_refused(mr: MemoRepair) -> None:
    mr.record("root", key="root")
    with refused(mr, BadInput, "source root", "required"):
        derive(mr, {"key": "root", "required": True}, {"key": "root", "required": False})


def test_saying_the_same_again_returns_the_live_version_with_its_state(mr: MemoRepair) -> None:
    root = mr.record("root", key="root")
    made = derive(mr, root)
    assert derive(mr, "root") == made
    mr.withdraw(RepairEvent.delete("root"))
    again = derive(mr, root)
    assert (again.id, again.state) == (made.id, State.WITHDRAWN)


@pytest.mark.parametrize(
    "other", [{"content": "else"}, {"kind": "cache"}, {"operator": "else@1"}, {"recipe": {"a": 1}}]
)
def test_a_key_in_service_is_taken_by_what_differs(mr: MemoRepair, other: dict[str, Any]) -> None:
    mr.record("root", key="root")
    made = derive(mr, "root")
    with refused(mr, KeyTaken, "key child", made.id, "use correct"):
        derive(mr, "root", **other)


def test_a_key_of_a_contract_is_taken_and_migrate_is_the_way(mr: MemoRepair) -> None:
    """A contract cannot be corrected, so a derivation under its key does not send anyone there."""
    mr.record(CONTRACT, key="doc/weather", tool="weather")
    mr.record("root", key="root")
    with refused(mr, KeyTaken, "key doc/weather", "use migrate to change it"):
        mr.derive("else", key="doc/weather", kind="cache", influenced_by="root")


def test_other_sources_are_another_derivation(mr: MemoRepair) -> None:
    mr.record("root", key="root")
    mr.record("more", key="more")
    derive(mr, "root")
    with refused(mr, KeyTaken, "key child"):
        derive(mr, "root", "more")


def test_a_source_that_left_service_is_named_with_its_successor(mr: MemoRepair) -> None:
    read = mr.record("root", key="root")
    mr.repair(RepairEvent.correct({"root": "mended"}))
    mended = mr.get("root")
    assert mended is not None
    with refused(mr, OutOfService, "root", read.id, "out of service", f"visible successor is {mended.id}"):
        derive(mr, read)
    assert derive(mr, mended).visible


def test_a_withdrawn_source_is_named(mr: MemoRepair) -> None:
    mr.record("root", key="root")
    read = mr.derive("middle", key="middle", kind="summary", influenced_by="root")
    mr.withdraw(RepairEvent.delete("root"))
    for source in (read, "middle"):
        with refused(mr, OutOfService, "middle", read.id, "out of service"):
            derive(mr, source)


def test_every_lost_source_is_named(mr: MemoRepair, opened: Callable[..., MemoRepair]) -> None:
    mr.record("root", key="root")
    stranger = opened("_beside").record("elsewhere", key="elsewhere")
    with refused(mr, OutOfService, "nothing/1 is no artifact", "nothing/2 is no artifact", stranger.id):
        derive(mr, "nothing/1", "root", "nothing/2", stranger)


def test_a_derivation_names_what_it_came_from(mr: MemoRepair) -> None:
    with refused(mr, BadInput, "names what it was produced from", "record"):
        derive(mr)


def test_a_skill_has_an_arch_and_nothing_else_has(mr: MemoRepair) -> None:
    mr.record("root", key="root")
    for about in ({"kind": "skill"}, {"kind": "summary", "arch": "chain"}, {"kind": "skill", "arch": "large"}):
        with refused(mr, BadInput, "arch"):
            derive(mr, "root", **about)


def test_a_key_that_an_open_event_holds_is_taken(mr: MemoRepair) -> None:
    mr.record("root", key="root")
    mr.record("other", key="other")
    derive(mr, "root")
    event = RepairEvent.delete("root")
    mr.withdraw(event)
    with refused(mr, KeyTaken, "key child", event.id, "resume"):
        derive(mr, "other")


def test_what_was_erased_does_not_come_back_as_a_derivation(mr: MemoRepair) -> None:
    mr.record("root", key="root")
    mr.record("other", key="other")
    derive(mr, "root", content="quoted secret")
    event = RepairEvent.delete("root")
    mr.repair(event)
    mr.erase(event.id)
    with refused(mr, Tombstoned, "erased", "does not come back"):
        derive(mr, "other", content="quoted secret")
    assert derive(mr, "other", key="fresh", content="quoted secret").visible, "a tombstone is of a key's content"


def test_on_request_a_refused_derivation_is_kept_withdrawn(mr: MemoRepair) -> None:
    root = mr.record("root", key="root")
    other = mr.record("other", key="other")
    middle = mr.derive("middle", key="middle", kind="summary", influenced_by=root, operator="digest@1")
    first, second = RepairEvent.delete(root.id), RepairEvent.delete("other")
    mr.withdraw(first)
    mr.withdraw(second)
    kept = derive(mr, middle, root, other, hold=True)
    assert (kept.state, kept.held_by) == (State.WITHDRAWN, 2), "the latest open event over its sources"
    assert mr.get("child") is None
    assert derive(mr, middle, root, other, hold=True) == kept
    assert mr.status(second.id).outcomes == {"child": "pending"}
    mr.resume(first.id)
    mr.resume(second.id)


def test_what_comes_after_the_plan_is_noted_so(mr: MemoRepair) -> None:
    root = mr.record("root", key="root")
    event = RepairEvent.delete("root")
    mr.withdraw(event)
    rows(mr, "MATCH (e:RepairEvent {space: $space}) SET e.status = 'planned'")
    kept = derive(mr, root, hold=True)
    report = mr.status(event.id)
    assert (report.outcomes["child"], report.reasons["child"]) == ("not_executable", "came after the plan")
    assert mr.why("child").outcome == "not_executable"
    assert kept.state is State.WITHDRAWN
    mr.resume(event.id)


def test_without_an_open_holder_nothing_is_kept(mr: MemoRepair) -> None:
    root = mr.record("root", key="root")
    mr.repair(RepairEvent.delete("root"))
    with refused(mr, OutOfService, "no open event holds a source of child", "read again"):
        derive(mr, root, hold=True)
    with refused(mr, NotFound, "nothing is no artifact of this space"):
        derive(mr, "nothing", hold=True)


def test_a_kept_derivation_needs_a_free_key_and_a_free_content(mr: MemoRepair) -> None:
    root = mr.record("root", key="root")
    mr.record("taken", key="child")
    secret = "the secret of Ann Kowalczyk is flat 12 in Elm Road"
    gone = mr.record(secret, key="gone")
    mr.repair(RepairEvent.delete("gone", id="e"))
    mr.erase("e")
    mr.withdraw(RepairEvent.delete("root", id="f"))
    with refused(mr, KeyTaken, "child"):
        derive(mr, root, hold=True)
    with refused(mr, Tombstoned, "does not come back"):
        derive(mr, root, key="free", content=secret, hold=True)
    assert gone.content == secret
    mr.resume("f")


@pytest.mark.parametrize("name", ["artifact/derive", "artifact/derive_held"])
def test_plain_cypher_that_leaves_something_out_gets_a_refused_row(mr: MemoRepair, name: str) -> None:
    root = mr.record("root", key="root")
    whole = {"key": "k", "kind": "summary", "content": "x", "content_hash": "h"}
    bad = [{**whole, part: None} for part in whole] + [
        {**whole, "kind": "skill"},
        {**whole, "arch": "chain"},
        {**whole, "kind": 5},
    ]
    for draft in bad:
        (row,) = rows(mr, query(name).text, draft=draft, sources=[{"ref": root.id}])
        assert (row["status"], row["rule"], row["id"]) == ("refused", "bad_input", None), draft
