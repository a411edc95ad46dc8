"""`load`: what a file puts into service, and that it can be repeated, resumed and reloaded.

A line that is here already, in any state, is skipped; nothing that was deleted comes back.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import KeyTaken, Refused, Tombstoned
from memorepair_graphdb.model.artifact import State
from memorepair_graphdb.model.report import LoadReport
from memorepair_graphdb.store.plans import BATCH
from tests.harness.graph_state import everything, refused, rows
from tests.harness.lines import CONTRACT, record, summary

_EDGES = """
MATCH (p)-[r:INFLUENCES]->(c:Artifact {space: $space})
RETURN p.key AS source, c.key AS target, r.role AS role, r.required AS required ORDER BY target, source
"""
_NEAR = (
    "MATCH (a:Artifact {space: $space})-[r:SEMANTIC]->(b) RETURN a.key AS a, b.key AS b, r.score AS score ORDER BY a, b"
)

FILE = [
    summary(
        "leaf", "middle", {"key": "doc", "role": "tool", "required": "any"}, semantic=[{"key": "root", "score": 0.5}]
    ),
    record("doc", CONTRACT, tool="weather"),
    summary("middle", "root", value=3, cost=120, metadata={"a": 1}, recipe={"b": 2}),
    {"key": "skill", "kind": "skill", "arch": "chain", "content": {"steps": []}, "influenced_by": ["leaf"]},
    record("root", semantic=[{"key": "leaf"}]),
]


def test_lines_come_in_any_order_and_are_kept_whole(mr: MemoRepair, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text("\n\n".join(map(json.dumps, FILE)) + "\n", encoding="utf-8")
    assert mr.load(path) == LoadReport(created=5, skipped=0, linked=2)
    middle, skill = mr.get("middle"), mr.get("skill")
    assert middle is not None
    assert skill is not None
    assert (middle.value, middle.cost, middle.metadata, middle.recipe) == (3, 120, {"a": 1}, {"b": 2})
    assert (skill.content, skill.arch, skill.version) == ('{"steps":[]}', "chain", 1)
    assert rows(mr, _EDGES) == [
        {"source": "doc", "target": "leaf", "role": "tool", "required": "any"},
        {"source": "middle", "target": "leaf", "role": None, "required": None},
        {"source": "root", "target": "middle", "role": None, "required": None},
        {"source": "leaf", "target": "skill", "role": None, "required": None},
    ]
    assert rows(mr, _NEAR) == [{"a": "leaf", "b": "root", "score": 0.5}, {"a": "root", "b": "leaf", "score": 1.0}]
    assert mr.load(str(path)) == LoadReport(created=0, skipped=5, linked=2)


@pytest.mark.parametrize("form", [json.dumps, lambda line: json.dumps(line).encode(), lambda line: line])
def test_lines_may_be_texts_bytes_or_objects(mr: MemoRepair, form: Callable[[Any], Any]) -> None:
    assert mr.load(form(line) for line in FILE).created == 5


def test_nothing_is_loaded_from_nothing(mr: MemoRepair) -> None:
    assert mr.load([]) == mr.load(["", " \n", b"\n"]) == LoadReport(created=0, skipped=0)


def test_what_is_in_service_is_a_source_and_a_line_may_grow_on_it(mr: MemoRepair) -> None:
    mr.record("here", key="here")
    assert mr.load([summary("on/it", "here")]).created == 1
    assert mr.load([record("alone")]).created == 1
    assert mr.load([summary("both", "alone", "new"), record("new")]).created == 2


def test_five_thousand_lines_go_in_batches_and_tell_how_far_they_are(opened: Callable[..., MemoRepair]) -> None:
    told: list[tuple[str, int, int]] = []
    mr = opened(progress=lambda *step: told.append(step))
    lines = [record(f"r/{n}") if n < 1000 else summary(f"r/{n}", f"r/{n - 1000}", f"r/{n // 2}") for n in range(5_000)]
    assert mr.load(reversed(lines)).created == 5_000
    assert [step for step, _, _ in told] == ["load"] * 5
    assert [done for _, done, _ in told] == [BATCH * n for n in range(1, 6)]
    assert {of for _, _, of in told} == {5_000}
    assert mr.load(lines) == LoadReport(created=0, skipped=5_000)
    assert mr.check().violations == ()


def test_after_a_batch_failed_loading_goes_on_where_it_ended(opened: Callable[..., MemoRepair]) -> None:
    lines = [record(f"r/{n}", semantic=[{"key": f"r/{(n + 1) % 2_500}"}]) for n in range(2_500)]

    def stumble(step: str, done: int, of: int) -> None:
        if done >= 2 * BATCH:
            raise ConnectionError("the cable")

    with pytest.raises(ConnectionError):
        opened(progress=stumble).load(lines)
    mr = opened()
    assert mr.load(lines) == LoadReport(created=500, skipped=2_000, linked=2_500)
    assert len(rows(mr, _NEAR)) == 2_500, "what is near is noted for the lines of the first try too"


def test_a_circle_is_loaded_whole_and_warned_of(mr: MemoRepair) -> None:
    lines = [summary("a", "b", "root"), summary("b", "c"), summary("c", "a"), record("root"), summary("d", "a")]
    report = mr.load(lines)
    assert report.created == 5
    (warning,) = report.warnings
    assert "circle" in warning
    assert all(f"{key}" in warning.split("through ")[1].split(":")[0].split(", ") for key in "abc")
    assert len(mr.check().warnings) == 3


def test_thousands_of_circles_are_found_in_one_pass(mr: MemoRepair) -> None:
    lines = [summary(f"c/{n}", f"c/{n ^ 1}") for n in range(2_000)]
    assert len(mr.load(lines).warnings) == 1_000


def test_reloading_brings_nothing_back_that_was_deleted(mr: MemoRepair) -> None:
    mr.load(FILE)
    mr.repair(RepairEvent.delete("root", id="e"))
    before = everything(mr)
    assert mr.get("middle") is None
    assert mr.load(FILE).created == 0
    assert everything(mr) == before


def test_reloading_brings_nothing_back_that_was_erased(mr: MemoRepair) -> None:
    mr.load(FILE)
    mr.repair(RepairEvent.delete("root", id="e"))
    mr.erase("e")
    before = everything(mr)
    assert mr.load(FILE).created == 0
    assert everything(mr) == before
    assert mr.load([record("other/key", "what root says")]).created == 1, "a text that tells nobody apart"


def test_what_identifies_is_not_loaded_under_another_key_after_it_was_erased(mr: MemoRepair) -> None:
    text = "Ann Kowalczyk asks for a refund of order 881."
    mr.load([record("root", text)])
    mr.repair(RepairEvent.delete("root", id="e"))
    mr.erase("e")
    with refused(mr, Tombstoned, "line 1", "other/key", "erased"):
        mr.load([record("other/key", text)])


def test_reloading_after_a_correction_leaves_the_correction(mr: MemoRepair) -> None:
    mr.load(FILE)
    mr.repair(RepairEvent.correct({"root": "mended"}))
    assert mr.load(FILE).created == 0
    root = mr.get("root")
    assert root is not None
    assert (root.content, root.version) == ("mended", 2)


def test_what_a_closed_event_left_withdrawn_may_be_loaded_anew(mr: MemoRepair) -> None:
    mr.load([record("root"), summary("child", "root", operator="nobody@1")])
    mr.repair(RepairEvent.correct({"root": "mended"}, id="e"))
    assert mr.versions("child")[0].state is State.WITHDRAWN
    assert mr.load([summary("child", "root", content="anew")]).created == 1
    assert [v.state for v in mr.versions("child")] == [State.VISIBLE, State.RETIRED]


def test_what_an_open_event_holds_is_not_loaded_over(mr: MemoRepair) -> None:
    mr.load([record("root"), summary("child", "root"), record("other")])
    mr.withdraw(RepairEvent.delete("root", id="e"))
    with refused(mr, KeyTaken, "line 1", "child", "event e", "resume"):
        mr.load([summary("child", "other")])
    mr.resume("e")


def test_a_writer_that_comes_between_has_the_batch_refused(opened: Callable[..., MemoRepair]) -> None:
    lines = [record(f"r/{n}") for n in range(BATCH + 10)]
    rival = opened()

    def intrude(step: str, done: int, of: int) -> None:
        rival.record("mine", key=f"r/{BATCH + 5}")

    with pytest.raises(Refused, match=f"r/{BATCH + 5} has a version in service"):
        opened(progress=intrude).load(lines)
    assert rival.get(f"r/{BATCH + 1}") is None, "a batch is written whole or not at all"
    assert rival.get("r/1") is not None
