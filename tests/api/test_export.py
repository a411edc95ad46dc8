"""An export is taken back by `load`: in an empty space it makes the same memory but for ids and times.

Random memories go round; what a line says is compared with what was put in, and the second export with the first.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from memorepair_graphdb import Kind, MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput, ChangedMeanwhile
from memorepair_graphdb.store import export as stored_export
from memorepair_graphdb.store import keys as stored_keys
from tests.harness.graph_state import rows

CONTRACT = {"name": "weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}
TEXTS = [
    "Zürich",
    "Zu\u0308rich",
    "客户王小明",
    "a\tb\nc",
    '"quoted" \\ back',
    "\U0001f600",
    "",
    "{}",
    "line\u2028separator",
    "ﬁ",
]


def _random_memory(mr: MemoRepair, draw: random.Random, dimensions: int) -> None:
    """Put artifacts of every kind into service, with every property some of the time, and take some out again."""

    def maybe(value: Any) -> Any:
        return value if draw.random() < 0.5 else None

    def common(key: str) -> dict[str, Any]:
        return {
            "key": key,
            "value": maybe(draw.choice([0, 1, 2.5, 1e-9, 1e12])),
            "cost": maybe(draw.randrange(10_000)),
            "metadata": maybe(draw.choice([{"user": "17"}, {"b": [1, 2.5, None], "a": {"z": True}}, "text", 7, []])),
            "embedding": maybe([draw.gauss(0, 1) for _ in range(dimensions)]),
        }

    keys = []
    for number in range(draw.randrange(2, 8)):
        key = draw.choice(["msg/", "メッセージ/", "Z", "z/é/"]) + str(number)
        content = draw.choice([*TEXTS[:6], {"b": 1.0, "a": [draw.random()]}, [1, "2"], 5, True])
        mr.record(content, **common(key))
        keys.append(key)
    mr.record(CONTRACT, **common("doc/weather"), tool="weather")
    for number in range(draw.randrange(10)):
        key = f"made/{number}"
        kind = draw.choice(list(Kind))
        mr.derive(
            f"{draw.choice(TEXTS)} {number}",
            **common(key),
            kind=kind,
            arch=draw.choice(["neural", "prompt", "chain"]) if kind is Kind.SKILL else None,
            influenced_by=[
                {
                    "key": source,
                    **draw.choice([{}, {"role": "response"}, {"required": "any", "role": "é"}, {"required": False}]),
                }
                for source in draw.sample([*keys, "doc/weather"], draw.randrange(1, 3))
            ],
            operator=maybe("mine@1"),
            recipe=maybe({"prompt": draw.choice(TEXTS), "n": 1}),
            blob=maybe(draw.randbytes(50)),
        )
        keys.append(key)
    near = [
        {"key": f"near/{n}", "kind": "record", "content": f"near {n}", "semantic": [{"key": k, "score": draw.random()}]}
        for n, k in enumerate(draw.sample(keys, 2))
    ]
    mr.load(near)
    mr.repair(RepairEvent.correct({keys[0]: "corrected, and nobody's operator made it"}))
    mr.withdraw(RepairEvent.delete(keys[1], id="open"))


@pytest.mark.parametrize("seed", range(4))
def test_a_memory_that_goes_round_is_the_same_but_for_ids_and_times(
    opened: Callable[..., MemoRepair], dimensions: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_keys, "PAGE", 3)
    monkeypatch.setattr(stored_export, "KEYS", 2)
    first, second = opened(), opened("_again")
    _random_memory(first, random.Random(seed), dimensions)
    lines = [json.dumps(line, ensure_ascii=False) for line in first.export(embeddings=True)]
    report = second.load(lines)
    assert (report.created, report.skipped, report.history) == (len(lines), 0, 0)
    assert [json.dumps(line, ensure_ascii=False) for line in second.export(embeddings=True)] == lines
    assert _of_service(second) == _of_service(first)
    assert second.load(lines).created == 0
    first.resume("open")


_OF_SERVICE = """
MATCH (a:Visible {space: $space})
RETURN a {.key, .kind, .arch, .content, .content_hash, .search_text, .blob, .embedding, .operator, .recipe, .value,
  .cost, .metadata, .tool} AS properties,
  COLLECT { MATCH (p)-[e:INFLUENCES]->(a)
    RETURN [p.key, e.role, toString(e.required)] AS s
    ORDER BY p.key, e.role } AS sources,
  COLLECT { MATCH (a)-[e:SEMANTIC]->(b:Visible)
    RETURN [b.key, e.score] AS s ORDER BY b.key } AS near
ORDER BY a.key
"""


def _of_service(mr: MemoRepair) -> list[dict[str, Any]]:
    """What is in service as the graph has it, but ids, versions and times."""
    return rows(mr, _OF_SERVICE)


def test_a_line_says_what_was_put_in(mr: MemoRepair) -> None:
    mr.record({"b": 1, "a": "é"}, key="z", value=3, metadata={"user": "17"})
    mr.record("text", key="a")
    source = {"key": "z", "role": "response", "required": True}
    mr.derive(
        "made", key="m", kind="skill", arch="prompt", influenced_by=["a", source], operator="o@1", recipe={"x": 1}
    )
    assert list(mr.export()) == [
        {"key": "a", "kind": "record", "content": "text"},
        {
            "key": "m",
            "kind": "skill",
            "arch": "prompt",
            "content": "made",
            "influenced_by": ["a", source],
            "operator": "o@1",
            "recipe": {"x": 1},
        },
        {"key": "z", "kind": "record", "content": '{"a":"é","b":1}', "value": 3.0, "metadata": {"user": "17"}},
    ]


def test_what_was_withdrawn_or_erased_is_not_in_the_file_and_comes_into_service_by_none(
    opened: Callable[..., MemoRepair],
) -> None:
    mr, other = opened(), opened("_other")
    for key in ("held", "deleted", "emptied", "kept"):
        mr.record(f"secret of {key}", key=key)
    mr.derive("secret of the child", key="child", kind="summary", influenced_by="held")
    mr.repair(RepairEvent.delete("deleted"))
    mr.repair(RepairEvent.delete("emptied", id="e"))
    mr.erase("e")
    mr.repair(RepairEvent.correct({"kept": "corrected"}))
    mr.withdraw(RepairEvent.delete("held", id="open"))
    assert list(mr.export()) == [{"key": "kept", "kind": "record", "content": "corrected"}]
    history = list(mr.export(versions=True))
    assert [(line["key"], line["version"], line["state"], line.get("content")) for line in history] == [
        ("child", 1, "withdrawn", "secret of the child"),
        ("deleted", 1, "retired", "secret of deleted"),
        ("emptied", 1, "erased", None),
        ("held", 1, "retired", "secret of held"),
        ("kept", 1, "retired", "secret of kept"),
        ("kept", 2, "visible", "corrected"),
    ]
    report = other.load(history)
    assert (report.created, report.history) == (1, 5)
    assert [hit.artifact.key for hit in other.search("secret corrected")] == ["kept"]
    assert [line.key for line in other.keys(state="any").keys] == ["kept"]
    assert mr.load(history).created == 0, "and where it was erased, it stays so"
    assert mr.load([{"key": "emptied", "kind": "record", "content": "secret of emptied"}]).created == 0
    mr.resume("open")


def test_an_empty_space_has_no_line(mr: MemoRepair) -> None:
    assert list(mr.export()) == list(mr.export(versions=True)) == []


CHANGES: dict[str, Callable[[MemoRepair], object]] = {
    "an artifact more": lambda mr: mr.record("new", key="new"),
    "one withdrawn": lambda mr: mr.repair(RepairEvent.delete("k/7")),
    "one corrected": lambda mr: mr.repair(RepairEvent.correct({"k/7": "other"})),
    "an edge more": lambda mr: mr.link("k/0", "k/7"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_memory_that_changes_meanwhile_is_an_error_and_not_a_torn_file(
    mr: MemoRepair, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_export, "KEYS", 2)
    mr.load({"key": f"k/{n}", "kind": "record", "content": f"text {n}"} for n in range(9))
    lines = mr.export()
    next(lines)
    CHANGES[change](mr)
    with pytest.raises(ChangedMeanwhile, match="export again"):
        list(lines)
    assert len(list(mr.export())) == 9 + (change == "an artifact more") - (change == "one withdrawn")


def test_lines_are_read_as_they_are_asked_for(mr: MemoRepair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_export, "CHARACTERS", 50)
    sizes: list[int] = []
    read = stored_export.read_versions

    def watch(*args: Any, **options: Any) -> Any:
        versions = read(*args, **options)
        sizes.append(sum(len(version.version.content or "") for version in versions))
        return versions

    monkeypatch.setattr(stored_export, "read_versions", watch)
    mr.load({"key": f"k/{n}", "kind": "record", "content": "x" * 20} for n in range(9))
    mr.record("x" * 90, key="long")
    lines = mr.export()
    next(lines)
    assert sizes == [40]
    assert len(list(lines)) == 9
    assert sizes == [40, 40, 40, 40, 20, 90]


def test_embeddings_come_on_request(mr: MemoRepair, dimensions: int) -> None:
    vector = [0.1 * n for n in range(1, dimensions + 1)]
    mr.record("x", key="k", embedding=vector)
    assert [line.get("embedding") for line in mr.export()] == [None]
    assert [line["embedding"] for line in mr.export(embeddings=True)] == [vector]


def test_a_file_of_something_else_is_refused_whole(mr: MemoRepair) -> None:
    with pytest.raises(BadInput, match="unknown field 'id'"):
        mr.load([*mr.export(), {"id": 1, "name": "a table of somebody's"}])
