"""Search by text and by vector: in service alone, in this space alone, and never short of k for it.

A neighbour of a hundred times the size changes nothing; a text is a text, whatever is in it.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput
from tests.harness.graph_state import rows

CROWD, FEW, K = 3_000, 30, 10


def _vector(rng: random.Random, dimensions: int) -> list[float]:
    return [rng.gauss(0, 1) for _ in range(dimensions)]


@pytest.fixture
def crowded(opened: Callable[..., MemoRepair], dimensions: int) -> MemoRepair:
    """Give a small space beside a neighbour that is a hundred times as large, and nearer to every question."""
    rng = random.Random(11)
    small, neighbour = opened(), opened("_crowd")
    for memory, number, text in (
        (neighbour, CROWD, "zebra"),
        (small, FEW, "a zebra among other words that make it longer"),
    ):
        memory.load(
            {"key": f"k/{n}", "kind": "record", "content": f"{text} {n}", "embedding": _vector(rng, dimensions)}
            for n in range(number)
        )
    return small


def test_a_crowded_neighbour_takes_no_place(crowded: MemoRepair, dimensions: int) -> None:
    rng = random.Random(12)
    for _ in range(5):
        by_vector = crowded.search(embedding=_vector(rng, dimensions), k=K)
        assert [hit.artifact.space for hit in by_vector] == [crowded.space] * K
        assert [hit.score for hit in by_vector] == sorted((hit.score for hit in by_vector), reverse=True)
    by_text = crowded.search("zebra", k=K)
    assert [hit.artifact.space for hit in by_text] == [crowded.space] * K
    assert len({hit.artifact.key for hit in by_text}) == K
    assert len(crowded.search("zebra", k=100)) == FEW
    assert len(crowded.search(crowded.space)) == 0, "the name of the space is no word of its texts"


def test_the_nearest_is_first(mr: MemoRepair, dimensions: int) -> None:
    one, other = [1.0] + [0.0] * (dimensions - 1), [0.0] * (dimensions - 1) + [1.0]
    mr.record("one", key="one", embedding=one)
    mr.record("other", key="other", embedding=other)
    mr.record("none", key="none")
    assert [hit.artifact.key for hit in mr.search(embedding=one)] == ["one", "other"]
    assert [hit.artifact.key for hit in mr.search(embedding=other, k=1)] == ["other"]
    assert mr.search(embedding=one)[0].score == pytest.approx(1.0)


def test_what_leaves_service_leaves_both_searches_in_that_commit(mr: MemoRepair, dimensions: int) -> None:
    vector = [1.0] * dimensions
    mr.record("giraffe", key="root", embedding=vector)
    mr.derive("giraffe too", key="child", kind="summary", influenced_by="root", embedding=vector)
    assert len(mr.search("giraffe")) == len(mr.search(embedding=vector)) == 2
    mr.withdraw(RepairEvent.delete("root", id="e"))
    assert mr.search("giraffe") == mr.search(embedding=vector) == ()
    mr.resume("e")


LITERAL = [
    'title:"x" OR (y',
    "a AND b OR NOT c",
    "+must -not && || !",
    "(((",
    "a* b? c~2 d^4",
    "[a TO z] {b TO c}",
    "/reg.*ex/",
    "\\",
    "\\u0060 \\\\ \\",
    "space:x",
    "'quotes' \"double\" `backticks`",
    "$space {{x}} %s {0}",
    "\u202eright to left",
    "a\x00b",
    "tab\tline\nreturn\r",
    "<script>=",
    "😀 emoji",
]


@pytest.mark.parametrize("sign", LITERAL)
def test_every_sign_is_taken_literally(mr: MemoRepair, sign: str) -> None:
    mr.record("the needle is here", key="needle")
    mr.record("nothing of it", key="hay")
    found = [hit.artifact.key for hit in mr.search(f"{sign} needle {sign}")]
    assert found[0] == "needle"
    assert [hit.artifact.key for hit in mr.search("hay OR needle")] == ["needle"], "OR is a word that stands in no text"


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t", "...", "()", "\u3000", "\u1680", "\x00", "\u00a0", "zzz", "-", "AND", "*", ":"]
)
def test_nothing_to_look_for_finds_nothing(mr: MemoRepair, text: str) -> None:
    mr.record("the needle is here", key="needle")
    assert mr.search(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a;b," * 5_000,
        "漢字仮名" * 5_000,
        "😀" * 20_000,
        "İ" * 3_000,
        "word " * 50_000,
        " ".join(map(str, range(20_000))),
    ],
    ids=["signs", "chinese", "emoji", "dotted i", "one word", "numbers"],
)
def test_a_text_of_any_length_and_script_can_be_looked_for(mr: MemoRepair, text: str) -> None:
    mr.record(unicodedata.normalize("NFC", text[:300]), key="k")
    assert [hit.artifact.key for hit in mr.search(text)] == ["k"]


def test_words_are_found_whatever_their_case_and_accents_kept(mr: MemoRepair) -> None:
    mr.record("Die Straße nach ZÜRICH", key="k")
    for text in ("zürich", "STRASSE straße", "Die"):
        assert [hit.artifact.key for hit in mr.search(text)] == ["k"]
    mr.record("İstanbul ve yağmur", key="t")
    for text in ("İstanbul", "İSTANBUL"):
        assert [hit.artifact.key for hit in mr.search(text)] == ["t"]


SPELLINGS: dict[str, tuple[str, ...]] = {
    "a German word": ("Straße", "STRASSE", "STRAẞE", "strasse"),
    "accents": ("Müller", "MÜLLER", "Mu\u0308ller", "MU\u0308LLER"),
    "two marks on a letter": ("ṩang", "s\u0323\u0307ang", "s\u0307\u0323ang", "ṨANG"),
    "Vietnamese": ("Nguyễn", "Nguye\u0302\u0303n", "NGUYỄN"),
    "Korean": ("각하", "\u1100\u1161\u11a8\u1112\u1161"),
    "Greek": ("ΟΔΥΣΣΕΥΣ", "Οδυσσευς", "οδυσσευσ"),
    "Greek with a iota below": ("ᾳδης", "ΑΙΔΗΣ"),
    "Cyrillic": ("Йод", "ЙОД", "и\u0306од"),
    "Turkish": ("İstanbul", "istanbul", "ISTANBUL", "I\u0307stanbul"),
    "full width": ("ＡＢＣ１２３", "abc123", "ABC123"),
    "half-width kana": ("ｶﾞｲﾄﾞ", "ガイド", "カ\u3099イト\u3099"),
    "a ligature": ("ﬁnance", "finance", "FINANCE"),
    "a letter for mathematics": ("𝐀𝐧𝐧", "ann", "Ann"),
    "a soft hyphen": ("Kranken\u00adhaus", "Krankenhaus"),
    "Persian with a joiner": ("می\u200cخواهم", "میخواهم"),
}
"""What is spelt in several ways that a reader takes for one, and no program should tell apart."""


@pytest.mark.parametrize("spellings", SPELLINGS.values(), ids=SPELLINGS)
def test_a_text_is_found_by_each_of_its_spellings_and_stays_as_it_is(
    mr: MemoRepair, spellings: tuple[str, ...]
) -> None:
    contents = {f"k/{number}": f"about {spelling}, they say" for number, spelling in enumerate(spellings)}
    for key, content in contents.items():
        mr.record(content, key=key)
    mr.record("another thing", key="other")
    for spelling in spellings:
        assert {hit.artifact.key: hit.artifact.content for hit in mr.search(spelling, k=20)} == contents


def test_signs_of_the_query_language_in_full_width_are_taken_literally(mr: MemoRepair) -> None:
    mr.record("the needle is here", key="needle")
    for sign in "＋－＆｜！（）｛｝［］＾＂～＊？：／＜＞＝＼":
        assert [hit.artifact.key for hit in mr.search(f"{sign}needle{sign} space{sign}x")] == ["needle"]


def _in_every_way(mr: MemoRepair, word: str) -> set[str]:
    """Put a word into service by every door; returns the keys."""
    mr.record(f"{word} first", key="record")
    mr.derive(f"{word} derived", key="derived", kind="summary", influenced_by="record")
    mr.load([{"key": "loaded", "kind": "record", "content": f"{word} loaded"}])
    mr.record("old text", key="corrected")
    mr.repair(RepairEvent.correct({"corrected": f"{word} now"}))
    for key in ("stays", "goes"):
        mr.record(f"text of {key} {word}", key=key)
    digest = {"kind": "summary", "influenced_by": ["stays", "goes"], "operator": "digest@1"}
    mr.derive(f"{word} of both", key="rebuilt", **digest)  # type: ignore[arg-type]
    mr.repair(RepairEvent.delete("goes"))
    return {"record", "derived", "loaded", "corrected", "stays", "rebuilt"}


def test_every_door_makes_what_comes_in_findable_in_every_form(mr: MemoRepair) -> None:
    keys = _in_every_way(mr, "Zu\u0308rich")
    for spelling in ("Zürich", "ZÜRICH", "Ｚürich", "Zu\u0308rich"):
        assert {hit.artifact.key for hit in mr.search(spelling, k=20)} == keys
    assert mr.check().violations == ()


def test_what_was_erased_is_gone_from_what_is_searched_too(mr: MemoRepair) -> None:
    mr.record("Zürich is where Ann lives", key="root")
    mr.derive("Ann: Zürich", key="child", kind="summary", influenced_by="root")
    report = mr.repair(RepairEvent.delete("root"))
    mr.erase(report.event_id)
    left = rows(mr, "MATCH (a:Artifact {space: $space}) RETURN a.key AS key, properties(a) AS properties")
    assert {row["key"] for row in left} == {"root", "child"}
    assert [value for row in left for value in row["properties"].values() if "zürich" in str(value).lower()] == []


def test_check_finds_what_is_searched_by_another_text_than_it_says(opened: Callable[..., MemoRepair]) -> None:
    mr = opened("_spoilt")
    for key in ("right", "none", "other"):
        mr.record(f"Text of {key}", key=key)
    rows(mr, "MATCH (a:Visible {space: $space, key: 'none'}) REMOVE a.search_text RETURN a")
    rows(mr, "MATCH (a:Visible {space: $space, key: 'other'}) SET a.search_text = 'spam' RETURN a")
    assert {(v.check, v.key) for v in mr.check().violations} == {("search_text", "none"), ("search_text", "other")}
    rows(mr, "MATCH (a:Visible {space: $space, key: 'other'}) REMOVE a.search_text RETURN a")
    mr.setup()  # as the message says
    assert [hit.artifact.key for hit in mr.search("OTHER")] == ["other"]


BAD: list[dict[str, Any]] = [
    {"text": 5},
    {"text": b"x"},
    {"text": "\ud800"},
    {"text": "x", "k": 0},
    {"text": "x", "k": 10_001},
    {"text": "x", "k": 2.0},
    {"text": "x", "k": True},
    {"text": "x", "k": "5"},
    {"text": "x", "by": "both"},
    {"text": "x", "by": "vector"},
    {},
    {"embedding": []},
    {"embedding": "abcd"},
    {"embedding": 5},
    {"embedding": ["1.0"]},
    {"embedding": [True, False, True, False]},
]


@pytest.mark.parametrize("asked", BAD, ids=str)
def test_what_cannot_be_asked_is_refused(mr: MemoRepair, asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        mr.search(**asked)


@pytest.mark.parametrize("part", [float("nan"), float("inf"), 0.0, 1e308, 1e-320])
def test_a_vector_without_a_direction_is_refused(mr: MemoRepair, dimensions: int, part: float) -> None:
    with pytest.raises(BadInput, match="embedding"):
        mr.search(embedding=[part] * dimensions)
    with pytest.raises(BadInput, match="embedding"):
        mr.record("x", key="k", embedding=[part] * dimensions)


def test_a_vector_of_another_length_is_refused_with_the_reason(mr: MemoRepair, dimensions: int) -> None:
    with pytest.raises(
        BadInput, match=f"{dimensions + 1} numbers, and this database's vector index takes {dimensions}"
    ):
        mr.search(embedding=[1.0] * (dimensions + 1))
    with pytest.raises(BadInput, match="one length a database"):
        mr.record("x", key="k", embedding=[1.0] * (dimensions + 1))
    assert mr.get("k") is None


class Embedder:
    """Says where a text points: along one axis if it speaks of rain, along another if not."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.asked: list[str] = []

    def __call__(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return [
            [1.0, 0.1] + [0.0] * (self.dimensions - 2) if "rain" in t else [0.1, 1.0] + [0.0] * (self.dimensions - 2)
            for t in texts
        ]


def test_with_an_embedder_whatever_is_put_in_can_be_found_by_meaning(
    opened: Callable[..., MemoRepair], dimensions: int
) -> None:
    mr = opened(embedder=Embedder(dimensions))
    mr.record("rain", key="r")
    mr.derive("sun", key="s", kind="summary", influenced_by="r", operator="digest@1", embedding=None)
    mr.load([{"key": "l", "kind": "record", "content": "rain again"}])
    assert {hit.artifact.key for hit in mr.search("what of the rain?", k=2)} == {"r", "l"}
    assert [hit.artifact.key for hit in mr.search("sun", by="text")] == ["s"]
    assert rows(mr, "MATCH (a:Visible {space: $space}) WHERE a.embedding IS NULL RETURN a.key") == []


@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_a_search_by_vector_answers_right_after_a_withdrawal(
    opened: Callable[..., MemoRepair], dimensions: int, k: int
) -> None:
    """Neo4j 2026.09 fails where the index has a segment of which a vector left, and k is more than there is."""
    rng = random.Random(k)
    first, second = opened(), opened("_2")
    vectors = [_vector(rng, dimensions) for _ in range(3)]
    for memory in (first, second):  # a search makes a segment of what was written before it
        memory.load(
            {"key": f"k/{number}", "kind": "record", "content": f"text {number}", "embedding": vector}
            for number, vector in enumerate(vectors)
        )
        memory.search(embedding=vectors[0], k=1)
    second.withdraw(RepairEvent.delete("k/1"))
    for memory, left in ((second, {"k/0", "k/2"}), (first, {"k/0", "k/1", "k/2"})):
        found = memory.search(embedding=vectors[0], k=k)
        assert len(found) == min(k, len(left))
        assert {hit.artifact.key for hit in found} <= left
        assert found[0].artifact.key == "k/0"
        assert found[0].score == pytest.approx(1.0, abs=1e-5)
