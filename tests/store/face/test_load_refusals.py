"""What `load` refuses: everything is checked before anything is written, and a fault names its line and its reason.

The law of the room: good lines stand beside the bad one, before and after it, and none of them is written.
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

from .look import refused
from .test_load import CONTRACT, record, summary

GOOD = [json.dumps(record(f"good/{n}")) for n in range(BATCH + 1)]
"""More than a batch: a fault found late would leave the first of it written."""


def line(**said: Any) -> str:
    """A good record's line, changed."""
    whole = {"key": "bad", "kind": "record", "content": "x", **said}
    return json.dumps({field: value for field, value in whole.items() if value is not ...})


def child(**said: Any) -> str:
    """A good summary's line, changed."""
    return line(**{"kind": "summary", "influenced_by": ["good/1"], **said})


DEEP = "[" * 300 + "]" * 300

ALONE: list[tuple[str | bytes, str]] = [
    ("{", "is no JSON"),
    ("null", "not an object"),
    ('["key"]', "is a JSON list"),
    (b"\xff\xfe\xfa", "is no JSON"),
    ("[" * 100_000, "is no JSON"),
    ('{"key":"bad","key":"bad2","kind":"record","content":"x"}', "has 'key' twice"),
    ('{"key":"bad","kind":"record","content":{"a":1,"a":2}}', "has 'a' twice"),
    (line(colour="red"), "unknown field 'colour'"),
    (line(content=...), "has no content"),
    (line(content=None), "content is None"),
    (line(content="\ud800"), "content holds a lone surrogate at position 0"),
    (line(content={"a": ["\udfff"]}), "content holds a lone surrogate"),
    (line(content="ü" * (8 * 1024 * 1024) + "x"), "16 MiB"),
    ('{"key":"bad","kind":"record","content":NaN}', "content is neither text nor JSON"),
    ('{"key":"bad","kind":"record","content":[1e999]}', "content is neither text nor JSON"),
    ('{"key":"bad","kind":"record","content":' + DEEP + "}", "content is nested more than 200"),
    ('{"key":"bad","kind":"record","content":"x","metadata":' + DEEP + "}", "metadata is nested more than 200"),
    ('{"key":"bad","kind":"record","content":"x","metadata":' + "9" * 5000 + "}", "is no JSON"),
    ('{"key":"bad","kind":"record","content":"x","recipe":Infinity}', "recipe is neither"),
    (line(metadata={"\ud800": 1}), "metadata holds a lone surrogate"),
    (line(key=...), "key"),
    (line(key=5), "key: Input should be a valid string"),
    (line(key=""), "key: Value error, is empty"),
    (line(key=" \u3000"), "is empty"),
    (line(key="k" * 1025), "is longer than 1024 bytes"),
    (line(key="ü" * 513), "is longer than 1024 bytes"),
    (line(key="a\nb"), "control character at position 1"),
    (line(key="\x00"), "control character at position 0"),
    (line(key="a\x7f"), "control character"),
    (line(key="\udc00"), "lone surrogate"),
    (line(key="a_" + "0" * 32), "form of an artifact's id"),
    (line(kind="memory"), "kind is one of record, cache, summary, skill, not 'memory'"),
    (line(kind=["record"]), "kind is one of"),
    (line(kind=...), "kind is one of"),
    (line(arch="chain"), "arch (neural, prompt or chain) belongs to a skill"),
    (child(kind="skill"), "arch (neural, prompt or chain) belongs to a skill"),
    (child(kind="skill", arch={"a": 1}), "arch is one of neural, prompt, chain"),
    (line(value=-1), "value: Value error, is negative"),
    (line(cost="3"), "cost: Value error, is no number, but str"),
    (line(value=True), "value: Value error, is no number, but bool"),
    (line(value=10**400), "value: Value error, is too large"),
    (line(value=2**53 + 1), "which no floating-point number holds"),
    ('{"key":"bad","kind":"record","content":"x","cost":NaN}', "cost: Value error, is negative or not finite"),
    ('{"key":"bad","kind":"record","content":"x","cost":1e999}', "cost: Value error, is negative or not finite"),
    ('{"key":"bad","kind":"record","content":"x","embedding":[NaN,1,1,1]}', "embedding: Value error, holds NaN"),
    (line(embedding=[]), "embedding: Value error, has 0 numbers"),
    (line(embedding=[0, 0, 0, 0]), "embedding: Value error, has no direction"),
    (line(embedding=[1] * 4097), "takes 1 to 4096"),
    (line(embedding="abcd"), "embedding: Value error, is no list of numbers"),
    (line(embedding={"0": 1}), "embedding: Value error, is no list of numbers"),
    (line(embedding=["1"]), "embedding: Value error, is no number, but str"),
    (line(tool="t"), "contract of t: a contract is a JSON object"),
    (line(tool="t", content={"name": "t"}), "contract of t: inputSchema: Field required"),
    (child(tool="t", content=CONTRACT), "tool marks a record"),
    (line(influenced_by="good/1"), "influenced_by is a list, not str"),
    (child(influenced_by=[5]), "a source is an artifact"),
    (child(influenced_by=[None]), "a source is an artifact"),
    (child(influenced_by=[["good/1"]]), "a source is an artifact"),
    (child(influenced_by=[{"role": "r"}]), "a source is an artifact"),
    (child(influenced_by=[{"key": "good/1", "weight": 1}]), "weight"),
    (child(influenced_by=[{"key": "good/1", "required": "yes"}]), "required"),
    (child(influenced_by=[{"key": "good/1", "required": 1}]), "required"),
    (child(influenced_by=[{"key": "good/1", "role": "a\tb"}]), "role: Value error, holds a control character"),
    (child(influenced_by=[{"key": "good/1", "required": True}, {"key": "good/1"}]), "source good/1 is required"),
    (child(influenced_by=["bad"]), "bad names itself as a source"),
    (child(operator=""), "operator: Value error, is empty"),
    (line(semantic="good/1"), "semantic is a list"),
    (line(semantic=["good/1"]), "semantic holds objects"),
    (line(semantic=[{"key": "good/1", "score": "high"}]), "is no number, but str"),
    (line(semantic=[{"key": "good/1", "score": 10**400}]), "is too large"),
    ('{"key":"bad","kind":"record","content":"x","semantic":[{"key":"good/1","score":NaN}]}', "not finite"),
    (line(semantic=[{"key": "bad"}]), "bad names itself as near in meaning"),
    (line(key="good/7"), "key good/7 stands on line 8 already"),
    (child(influenced_by=["nothing"]), "bad names source nothing, which is unknown in this space"),
    (line(semantic=[{"key": "nothing"}]), "bad names near nothing, which is unknown in this space"),
]


@pytest.mark.parametrize(
    ("bad", "said"), ALONE, ids=[f"{number} {said[:40]}" for number, (_, said) in enumerate(ALONE)]
)
def test_a_bad_line_is_named_with_its_reason(mr: MemoRepair, bad: str | bytes, said: str) -> None:
    with refused(mr, BadInput, "nothing was loaded", f"line {len(GOOD) + 1}: ", said):
        mr.load([*GOOD, bad, json.dumps(record("good/last"))])


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
    mr.record("secret", key="secret")
    mr.record("live", key="live")
    mr.repair(RepairEvent.delete("secret", id="e"))
    mr.erase("e")
    with refused(mr, Refused, "line 1: live has a version", "line 2: other holds content that was erased"):
        mr.load([record("live", "else"), record("other", "secret")])


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
