"""A line is checked by itself: a bad one is refused with its number, its field and its reason.

Needs no server.
"""

from __future__ import annotations

import json

import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.loader.lines import read_lines
from memorepair_graphdb.model.wire import FIELDS
from tests.harness.lines import ALONE, record, summary

GOOD = [json.dumps(record(f"good/{n}")) for n in range(10)]


@pytest.mark.parametrize(
    ("bad", "said"), ALONE, ids=[f"{number} {said[:40]}" for number, (_, said) in enumerate(ALONE)]
)
def test_a_bad_line_is_named_with_its_reason(bad: str | bytes, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_lines([*GOOD, bad, json.dumps(record("good/last"))])
    assert str(caught.value).startswith("nothing was loaded:\nline 11: ")
    assert said in str(caught.value)
    assert str(caught.value).count("\nline ") == 1, "the good lines have no fault"


def test_good_lines_are_read_with_their_numbers() -> None:
    read = read_lines([GOOD[0], "", summary("s", "good/0", semantic=[{"key": "good/0"}]), b" \n"]).lines
    assert [line.number for line in read] == [1, 3]
    assert [source.ref for source in read[1].draft.sources] == ["good/0"]
    assert read[1].near == (("good/0", 1.0),)


def test_a_line_that_says_everything_is_read() -> None:
    said = record(
        "k", value=1, cost=2, metadata=3, embedding=[1], operator="o@1", recipe=[], influenced_by=[], semantic=[]
    )
    (line,) = read_lines([{**said, "arch": None, "tool": None, "blob": "AAE="}]).lines
    assert set(said) | {"arch", "tool", "blob"} == FIELDS
    assert line.draft.blob == b"\x00\x01"
    assert (line.draft.value, line.draft.metadata, line.draft.recipe, line.draft.embedding) == (1.0, "3", "[]", (1.0,))


def test_a_source_said_twice_counts_once() -> None:
    (line,) = read_lines([summary("s", "a", {"key": "a"}, {"key": "a", "role": "r"}, "b", "a")]).lines
    assert [(source.ref, source.role) for source in line.draft.sources] == [("a", None), ("a", "r"), ("b", None)]


def test_history_is_counted_and_never_read_as_what_is_in_service() -> None:
    history: list[dict[str, object]] = [
        {"key": "a", "kind": "record", "content": "old", "state": "retired", "version": 1},
        {"key": "b", "kind": "summary", "content": "held", "state": "withdrawn"},
        {"key": "c", "state": "erased"},
    ]
    served: dict[str, object] = {"key": "a", "kind": "record", "content": "new", "state": "visible", "version": 2}
    read = read_lines([*history, served])
    assert ([line.draft.content for line in read.lines], read.history) == (["new"], 3)


@pytest.mark.parametrize("field", [{"state": "staged"}, {"state": 5}, {"blob": "no Base64!"}, {"blob": 5}], ids=str)
def test_what_a_state_or_a_blob_cannot_be_is_named(field: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=f"line 1: {next(iter(field))} is "):
        read_lines([{"key": "a", "kind": "record", "content": "x", **field}])
