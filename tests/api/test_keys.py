"""`keys` lists what there is: in the order of the keys, by prefix, kind, state and metadata, a page at a time.

The oracle is a list of what was put in, filtered here in plain Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, cast

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.model.criteria import AnyOf, Criteria, conditions_of
from memorepair_graphdb.store import keys as stored_keys
from memorepair_graphdb.store.queries import query
from tests.harness.graph_state import rows


def _names(mr: MemoRepair, **question: Any) -> list[str]:
    return [line.key for line in mr.keys(**question).keys]


ODD = [
    "a",
    "a/",
    "a/\U0001f600",
    "a/\uff5e",
    "a/\ue000",
    "a/\ud7ff",
    "a/1",
    "a/1/2",
    "a/é",
    "a0",
    "b",
    "A",
    "\U0010ffff",
    "_",
]


def test_keys_come_in_their_order_and_a_prefix_is_compared_exactly(mr: MemoRepair) -> None:
    for key in ODD:
        mr.record(f"text of {key}", key=key)
    in_order = sorted(ODD, key=lambda key: key.encode("utf-8"))
    assert _names(mr) == in_order
    for prefix in (*ODD, "a/\U0001f5ff", "zzz"):
        assert _names(mr, prefix=prefix) == [key for key in in_order if key.startswith(prefix)]


def test_a_page_is_read_in_the_order_of_the_index_and_no_further(mr: MemoRepair) -> None:
    """A sort behind the index would read all keys of the space for every page."""
    asked = {"space": mr.space, "from": "", "until": "z", "states": ["Visible"], "kinds": ["record"], "most": 3}
    text = query("retrieve/keys").text.replace("CYPHER 25", "CYPHER 25 EXPLAIN", 1)
    steps = mr.transactions.read(lambda tx: _steps(tx.run(cast("Any", text), asked).consume().plan))
    assert "NodeIndexSeek" in steps
    assert steps & {"Top", "Sort", "PartialSort", "NodeByLabelScan"} == set()


def _steps(plan: Any) -> set[str]:
    return {plan["operatorType"].split("@")[0]}.union(*map(_steps, plan.get("children", ())))


def test_pages_put_together_are_the_list(mr: MemoRepair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_keys, "PAGE", 7)
    draw = random.Random(5)
    names = sorted({f"k/{draw.randrange(10**6)}" for _ in range(60)})
    users = {key: draw.choice(["ann", "bob"]) for key in names}
    mr.load({"key": key, "kind": "record", "content": key, "metadata": {"user": users[key]}} for key in reversed(names))
    for where, wanted in ((None, names), ({"metadata.user": "ann"}, [key for key in names if users[key] == "ann"])):
        for limit in (1, 7, 13, 60, 61):
            seen: list[str] = []
            after: str | None = None
            while True:
                page = mr.keys(prefix="k/", where=where, limit=limit, after=after)
                seen += [line.key for line in page.keys]
                assert len(page.keys) <= limit
                after = page.after
                if after is None:
                    break
            assert seen == wanted


def test_a_key_is_listed_once_with_its_live_version_else_its_newest(mr: MemoRepair) -> None:
    mr.record("one", key="corrected")
    mr.repair(RepairEvent.correct({"corrected": "two, which is longer"}))
    mr.record("gone", key="deleted")
    mr.repair(RepairEvent.delete("deleted"))
    mr.record("root", key="root")
    mr.derive("child", key="held", kind="skill", arch="prompt", influenced_by="root")
    mr.withdraw(RepairEvent.delete("root", id="open"))
    states = {line.key: (str(line.state), line.version, line.characters) for line in mr.keys(state="any").keys}
    assert states == {
        "corrected": ("Visible", 2, len("two, which is longer")),
        "deleted": ("Retired", 1, 4),
        "held": ("Withdrawn", 1, 5),
        "root": ("Retired", 1, 4),
    }
    assert _names(mr) == ["corrected"]
    assert _names(mr, state="withdrawn") == ["held"]
    assert _names(mr, state="retired") == ["deleted", "root"]
    assert _names(mr, state="any", kind="skill") == ["held"]
    mr.resume("open")


METADATA: dict[str, Any] = {
    "text": {"user": "17"},
    "number": {"user": 17},
    "a float": {"user": 17.0},
    "nested": {"source": {"user": {"id": "17"}}},
    "a dotted name": {"source.user": {"id": "17"}},
    "a list": {"user": ["16", "17"]},
    "objects in a list": {"users": [{"id": "16"}, {"id": "17"}]},
    "true": {"user": True},
    "null": {"user": None},
    "another": {"user": "177", "other": "17"},
    "composed": {"user": "Zürich"},
    "decomposed": {"user": "Zu\u0308rich"},
    "a bare text": "17",
    "nothing": None,
}

CONDITIONS: list[tuple[dict[str, Any], set[str]]] = [
    ({"metadata.user": "17"}, {"text", "a list"}),
    ({"metadata.user": 17}, {"number", "a float"}),
    ({"metadata.user": AnyOf(["17", 17])}, {"text", "a list", "number", "a float"}),
    ({"metadata.user": True}, {"true"}),
    ({"metadata.user": 1}, set()),
    ({"metadata.user": None}, {"null"}),
    ({"metadata.source.user.id": "17"}, {"nested", "a dotted name"}),
    ({"metadata.users.id": "17"}, {"objects in a list"}),
    ({"metadata.user": ["16", "17"]}, {"a list"}),
    ({"metadata.user": "Zürich"}, {"composed", "decomposed"}),
    ({"metadata.user": "177", "metadata.other": "17"}, {"another"}),
    ({"metadata.user": "17", "metadata.other": "17"}, set()),
    ({"metadata.user": "' OR true //"}, set()),
]


@pytest.mark.parametrize(("where", "wanted"), CONDITIONS, ids=[str(where) for where, _ in CONDITIONS])
def test_metadata_are_compared_as_values(where: dict[str, Any], wanted: set[str]) -> None:
    criteria = Criteria.read(None, where)
    assert {name for name, metadata in METADATA.items() if criteria.holds(metadata)} == wanted


def test_metadata_of_the_graph_are_compared_too_whoever_wrote_them(opened: Callable[..., MemoRepair]) -> None:
    mr = opened("_raw")
    for name, metadata in METADATA.items():
        mr.record(name, key=name, metadata=metadata)
    for key, raw in (("spaced", '{ "user" : "1\\u0037" }'), ("no JSON", "user=17"), ("a list", [1, 2])):
        mr.record(f"raw {key}", key=f"raw {key}")
        rows(mr, "MATCH (a:Visible {space: $space, key: $key}) SET a.metadata = $raw", key=f"raw {key}", raw=raw)
    for where, wanted in CONDITIONS:
        spaced = {"raw spaced"} if where.keys() == {"metadata.user"} and "text" in wanted else set()
        assert set(_names(mr, where=where)) == wanted | spaced
    rows(mr, "MATCH (a:Visible {space: $space}) WHERE a.key IN ['raw a list', 'raw no JSON'] REMOVE a.metadata")


def test_a_word_of_the_command_line_means_its_text_and_what_it_is_as_json() -> None:
    words = ["metadata.a=17", 'metadata.b="17"', "metadata.c=x=y", "metadata.d=", "metadata.e=true"]
    assert conditions_of(words) == {
        "metadata.a": ("17", 17),
        "metadata.b": ("17",),
        "metadata.c": ("x=y",),
        "metadata.d": ("",),
        "metadata.e": ("true", True),
    }


BAD: list[dict[str, Any]] = [
    {"prefix": ""},
    {"prefix": 5},
    {"where": "metadata.user=17"},
    {"where": {"user": "17"}},
    {"where": {"metadata.": "17"}},
    {"where": {"metadata..user": "17"}},
    {"where": {"metadata.user": {1, 2}}},
    {"where": {"metadata.user": AnyOf([])}},
    {"kind": "thing"},
    {"state": "staged"},
    {"limit": 0},
    {"limit": 10_001},
    {"after": 5},
]


@pytest.mark.parametrize("question", BAD, ids=str)
def test_what_cannot_be_asked_is_refused(mr: MemoRepair, question: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        mr.keys(**question)
