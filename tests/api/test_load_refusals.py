"""What `load` refuses: everything is checked before anything is written, and a fault names its line and its reason.

Good lines stand beside the bad one, before and after it, and none of them is written.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput, KeyTaken, Refused
from memorepair_graphdb.loader.lines import FAULTS_SHOWN
from memorepair_graphdb.store.plans import BATCH
from tests.harness.graph_state import everything, refused
from tests.harness.lines import ALONE, CONTRACT, record, summary

GOOD = [json.dumps(record(f"good/{n}")) for n in range(BATCH + 1)]
"""More than a batch: a fault found late would leave the first of it written."""


def test_not_one_good_line_is_written_for_the_sake_of_a_bad_one(mr: MemoRepair) -> None:
    before = everything(mr)
    for bad, said in ALONE:
        with pytest.raises(BadInput) as caught:
            mr.load([*GOOD, bad, json.dumps(record("good/last"))])
        assert f"line {len(GOOD) + 1}: " in str(caught.value)
        assert said in str(caught.value)
    assert everything(mr) == before


def test_what_a_line_names_is_known_in_this_space(mr: MemoRepair) -> None:
    near = record("bad", semantic=[{"key": "nothing"}])
    for bad, what in ((summary("bad", "nothing"), "source"), (near, "near")):
        with refused(mr, BadInput, f"line {len(GOOD) + 1}: bad names {what} nothing, which is unknown in this space"):
            mr.load([*GOOD, bad])


def test_a_key_of_a_kibibyte_and_a_content_of_16_mib_are_loaded(mr: MemoRepair) -> None:
    key, content = "ü" * 512, "ü " * (16 * 1024 * 1024 // 3)
    assert mr.load([record(key, content)]).created == 1
    made = mr.get(key)
    assert made is not None
    assert made.content == content


def test_a_tool_has_one_contract_in_a_file_and_in_service(mr: MemoRepair) -> None:
    one, two = record("doc/1", CONTRACT, tool="weather"), record("doc/2", CONTRACT, tool="weather")
    with refused(mr, BadInput, "line 2: tool weather stands on line 1 already"):
        mr.load([one, two])
    mr.load([one])
    with refused(mr, KeyTaken, f"line {len(GOOD) + 1}: doc/2", "tool weather", "doc/1", "migrate"):
        mr.load([*GOOD, two])


def test_a_key_in_service_with_another_content_is_taken(mr: MemoRepair) -> None:
    mr.load([record("root"), record("doc", CONTRACT, tool="weather"), summary("child", "root")])
    for changed, way in (
        (record("root", "else"), "use correct"),
        (record("doc", {**CONTRACT, "description": "new"}, tool="weather"), "use migrate"),
        (summary("child", "doc"), "use correct"),
        (summary("child", "root", "doc"), "other sources"),
    ):
        with refused(mr, KeyTaken, f"line {len(GOOD) + 1}: {changed['key']} has a version in service", way):
            mr.load([*GOOD, changed])


def test_a_source_out_of_service_is_named(mr: MemoRepair) -> None:
    mr.load([record("root"), summary("child", "root")])
    mr.repair(RepairEvent.delete("root"))
    with refused(mr, BadInput, "line 1: late names source child, which is out of service"):
        mr.load([summary("late", "child")])


def test_an_embedding_of_another_length_names_its_line(mr: MemoRepair, dimensions: int) -> None:
    wrong, right = [1.0] * (dimensions + 1), [1.0] * dimensions
    lines = [record("a", embedding=wrong), record("b", embedding=wrong), record("c", embedding=right)]
    with refused(mr, BadInput, "line 1: ", "line 2: ", f"takes {dimensions}"):
        mr.load([*lines, *GOOD])


def test_faults_of_two_kinds_are_refused_with_both(mr: MemoRepair) -> None:
    secret = "Ann Kowalczyk of 4 Elm Road asks for the return of invoice 4711."
    mr.record(secret, key="secret")
    mr.record("live", key="live")
    mr.repair(RepairEvent.delete("secret", id="e"))
    mr.erase("e")
    with refused(mr, Refused, "line 1: live has a version", "line 2: other holds content that was erased"):
        mr.load([record("live", "else"), record("other", secret)])


def test_of_many_faults_the_first_are_shown_and_the_rest_counted(mr: MemoRepair) -> None:
    with refused(mr, BadInput, "line 1: ", f"line {FAULTS_SHOWN}: ", "… and 30 more"):
        mr.load([record("k", tool="")] * (FAULTS_SHOWN + 30))


@pytest.mark.parametrize("lines", ["no/such/file.jsonl", "a\0b", "/", None, 5, b"{}", {"key": "k"}, [5], [None]])
def test_what_is_no_file_and_no_lines_is_refused(mr: MemoRepair, lines: Any) -> None:
    with refused(mr, BadInput):
        mr.load(lines)


def test_a_file_that_is_no_text_is_refused_by_line(mr: MemoRepair, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_bytes(json.dumps(record("k")).encode() + b"\n\xff\xfe\n")
    with refused(mr, BadInput, "line 2: is no JSON"):
        mr.load(path)
