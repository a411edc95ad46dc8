"""A tombstone is of the content of a key: one person's "OK" keeps nobody else's away, and what identifies stays away.

The doors: record, derive, derive held, load, a correction, an operator's output. Each is tried with each text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import Registry, RepairEvent
from memorepair_graphdb.errors import MemoRepairError, NotFound, Tombstoned
from memorepair_graphdb.model.content import as_content, content_hash, keyed_hash
from memorepair_graphdb.model.tombstone import identifies
from memorepair_graphdb.repair.execution import publication as publishing
from memorepair_graphdb.store import publication

if TYPE_CHECKING:
    from neo4j import Driver

    from memorepair_graphdb import MemoRepair

SHORT = ["OK", [], {"status": "ok"}, "Thank you very much for your help!", "好的，谢谢"]
IDENTIFYING = [
    "Ann Kowalczyk asks for a refund of order 881.",
    {"name": "Ann Kowalczyk", "street": "4 Elm Road", "city": "Oslo", "order": 881},
    "客户王小明要求退款五百元。",
]


def registry(answer: Any) -> Registry:
    """An operator that gives one answer, whatever it reads."""
    made = Registry.default()
    made.operator("says@1", mode="regen", support="available")(lambda context: answer)
    return made


def erase(mr: MemoRepair, key: str) -> None:
    mr.erase(mr.repair(RepairEvent.delete(key)).event_id)


def record(mr: MemoRepair, content: Any) -> None:
    mr.record(content, key="bob/1")


def derive(mr: MemoRepair, content: Any) -> None:
    mr.derive(content, key="bob/2", kind="cache", influenced_by="kept")


def derive_held(mr: MemoRepair, content: Any) -> None:
    read = mr.record("it goes", key="goes")
    mr.withdraw(RepairEvent.delete("goes", id="held"))
    try:
        mr.derive(content, key="bob/3", kind="cache", influenced_by=read, hold=True)
    finally:
        mr.resume("held")


def load(mr: MemoRepair, content: Any) -> None:
    mr.load([{"key": "bob/4", "kind": "record", "content": content}])


def correct(mr: MemoRepair, content: Any) -> None:
    mr.repair(RepairEvent.correct({"kept": content}))


DOORS = (record, derive, derive_held, load, correct)


def opened(memory: Callable[..., MemoRepair], content: Any, key: str = "ann/1", **about: Any) -> MemoRepair:
    """A space in which one person said something that was erased."""
    mr = memory(registry=registry(as_content(content)), **about)
    mr.record("kept by all", key="kept")
    mr.record(content, key=key)
    erase(mr, key)
    return mr


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("content", SHORT, ids=str)
def test_an_erased_short_text_is_everybody_elses_still(memory, content: Any, door: Callable) -> None:
    door(opened(memory, content), content)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("content", IDENTIFYING, ids=["text", "json", "chinese"])
def test_an_erased_text_that_identifies_is_refused_by_every_door(memory, content: Any, door: Callable) -> None:
    with pytest.raises(Tombstoned, match=r"key ann/1\).* does not come back, unless that is forgiven"):
        door(opened(memory, content), content)


@pytest.mark.parametrize("content", [*SHORT, *IDENTIFYING], ids=str)
def test_an_operator_may_write_an_erased_short_text_and_not_one_that_identifies(memory, content: Any):
    mr = opened(memory, content)
    mr.record("it goes", key="goes")
    mr.derive("old", key="sum", kind="summary", influenced_by=["goes", "kept"], operator="says@1")
    report = mr.repair(RepairEvent.delete("goes"))
    if content in SHORT:
        assert report.outcomes["sum"] == "published"
        assert [version.content for version in mr.versions("sum")] == [as_content(content), "old"]
    else:
        assert report.outcomes["sum"] == "rejected"
        assert "was erased from this space" in report.reasons["sum"]
        assert mr.get("sum") is None
        mr.forgive("ann/1")
        assert mr.retry(report.event_id).outcomes["sum"] == "published"


def test_a_text_erased_between_staging_and_publication_is_not_published(
    memory, prepared: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    mr = memory(registry=registry(IDENTIFYING[0]))
    mr.record("kept", key="kept")
    mr.record("something else", key="ann")
    mr.record("it goes", key="goes")
    mr.derive("old", key="sum", kind="summary", influenced_by=["goes", "kept"], operator="says@1")
    erase(mr, "ann")
    tombstone = keyed_hash(f"tombstones of {mr.space}".encode(), content_hash(str(IDENTIFYING[0])))

    def stage_and_wait(*args: Any) -> None:
        publication.stage(*args)
        args[0].run("MATCH (a {space: $s, key: 'ann'}) SET a.tombstone = $t", s=mr.space, t=tombstone).consume()

    class Patched:
        Offended, publish, outcomes = publication.Offended, publication.publish, publication.outcomes
        remove, close, stage = publication.remove, publication.close, stage_and_wait

    monkeypatch.setattr(publishing, "publication", Patched)
    report = mr.repair(RepairEvent.delete("goes"))
    assert report.outcomes == {"goes": "removed", "sum": "rejected"}
    assert mr.get("sum") is None


@pytest.mark.parametrize("content", ["OK", IDENTIFYING[0]])
def test_an_erased_text_is_refused_under_its_own_kind_and_key(memory, content: str) -> None:
    mr = opened(memory, content)
    with pytest.raises(Tombstoned):
        mr.record(content, key="ann/1")
    assert mr.load([{"key": "ann/1", "kind": "record", "content": content}]).skipped == 1
    mr.record("something else", key="ann/1")
    with pytest.raises(Tombstoned):
        mr.repair(RepairEvent.correct({"ann/1": content}))
    assert [version.content for version in mr.versions("ann/1")] == ["something else", None]


def test_what_was_derived_is_refused_under_its_kind_and_key_alone(memory) -> None:
    mr = memory(registry=registry("rebuilt"))
    text = "A refund of order 881 is asked for by somebody in the city of Oslo."
    assert identifies(text)
    mr.record("kept", key="kept")
    mr.record(IDENTIFYING[0], key="ann/1")
    mr.derive(text, key="sum", kind="summary", influenced_by=["ann/1", "kept"], operator="says@1")
    erase(mr, "ann/1")
    assert mr.get("sum").content == "rebuilt"
    with pytest.raises(Tombstoned, match=r"key sum\)"):
        mr.repair(RepairEvent.correct({"sum": text}))
    erase(mr, "kept")
    mr.record("kept again", key="kept")
    with pytest.raises(Tombstoned, match=r"key sum\)"):
        mr.derive(text, key="sum", kind="summary", influenced_by="kept")
    mr.derive(text, key="sum/2", kind="summary", influenced_by="kept")
    mr.derive(text, key="sum", kind="cache", influenced_by="kept")


def test_what_is_forgiven_may_be_written_again_and_says_who_forgave(memory) -> None:
    mr = opened(memory, IDENTIFYING[0])
    line = {"key": "ann/1", "kind": "record", "content": IDENTIFYING[0]}
    erased = mr.why("ann/1")
    assert erased.erased_at is not None
    assert erased.forgiven is None
    assert erased.sentence.endswith("; its text was erased")
    forgiveness = mr.forgive("ann/1", reason="Ann is back", actor="Bob")
    assert [(entry["key"], entry["version"]) for entry in forgiveness.forgiven] == [("ann/1", 1)]
    answer = mr.why("ann/1")
    assert answer.forgiven is not None
    assert (answer.forgiven["by"], answer.forgiven["reason"]) == ("Bob", "Ann is back")
    assert answer.sentence.endswith("its text was erased, and may be written again, forgiven by Bob: Ann is back")
    again = mr.forgive("ann/1", actor="Eve")
    assert (again.forgiven, again.already_forgiven) == ((), 1)
    assert mr.why("ann/1").forgiven == answer.forgiven
    assert mr.load([line]).created == 1
    assert [version.version for version in mr.versions("ann/1")] == [2, 1]
    assert mr.record(IDENTIFYING[0], key="somebody").version == 1
    erase(mr, "ann/1")
    with pytest.raises(Tombstoned):
        mr.record(IDENTIFYING[0], key="another")


def test_one_version_is_forgiven_by_its_id_and_another_key_with_its_text_is_not(memory) -> None:
    mr = opened(memory, IDENTIFYING[0])
    erased = mr.versions("ann/1")[0]
    mr.record("kept", key="other")
    mr.forgive(erased.id)
    mr.record(IDENTIFYING[0], key="one")
    mr.record(IDENTIFYING[0], key="two")
    erase(mr, "one")
    erase(mr, "two")
    mr.forgive("one")
    with pytest.raises(Tombstoned, match=r"key two\)"):
        mr.record(IDENTIFYING[0], key="three")


def test_what_was_never_erased_cannot_be_forgiven(memory) -> None:
    mr = opened(memory, "OK")
    other = memory("_beside")
    for ref in ("kept", "nobody"):
        with pytest.raises(NotFound, match=f"nothing of {ref} was erased"):
            mr.forgive(ref)
    with pytest.raises(NotFound):
        other.forgive("ann/1")
    with pytest.raises(MemoRepairError):
        mr.forgive(5)  # type: ignore[arg-type]


def test_a_text_is_judged_by_the_values_in_it() -> None:
    """Each text was judged by hand: would two people write it independently?"""
    common = [
        "Hello, how can I help you today?",
        '{"success":true,"count":0,"items":[],"next":null}',
        '{"a_key":{"of_many":{"words_that":{"say_nothing":{"about_anybody":[1,2]}}}}}',
        "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
        "no no no no no no no no no no no no",
        "धन्यवाद, सब कुछ ठीक है।",
        "நன்றி, எல்லாம் சரியாக உள்ளது.",
        "",
    ]
    personal = [
        "Write to ann.kowalczyk@example.com about flat 12, Elm Road 4, and call 601 222 333.",
        "Анна Ковальчик просит вернуть деньги за заказ 881.",
        "อนุชาขอคืนเงินค่าสินค้า 500 บาท",
        "अनिता शर्मा आदेश 881 के पैसे वापस माँगती हैं।",
        "[" * 5_000 + "Ann Kowalczyk asks for a refund of order 881." + "]" * 5_000,
    ]
    assert [text for text in common if identifies(text)] == []
    assert [text for text in personal if not identifies(text)] == []
