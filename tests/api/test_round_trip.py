"""Whatever is put in comes back unchanged, or is refused with `BadInput` before anything is written.

Hypothesis draws, the server judges; the normal run is short, the long one is under `torture`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput, NotFound
from memorepair_graphdb.model.content import canonical_json
from tests.harness.graph_state import everything
from tests.harness.strategies import (
    any_texts,
    bad_contents,
    bad_figures,
    bad_json,
    bad_names,
    contents,
    figures,
    json_values,
    names,
    texts,
)

SHORT = settings(
    max_examples=20,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
BRIEF = settings(SHORT, max_examples=8)
LONG = settings(SHORT, max_examples=1_000)

GOOD = {
    "key": names,
    "content": contents,
    "metadata": json_values,
    "value": figures,
    "cost": figures,
    "role": names,
    "operator": names,
}
BAD = {
    "key": bad_names,
    "content": bad_contents,
    "metadata": bad_json,
    "value": bad_figures,
    "cost": bad_figures,
    "role": bad_names.filter(lambda name: name is not None),
    "operator": bad_names.filter(lambda name: name is not None),
}
FOR_RECORDS = frozenset(GOOD) - {"role", "operator"}

good = st.fixed_dictionaries(GOOD)
spoilt = st.sampled_from(sorted(BAD)).flatmap(lambda field: st.tuples(good, BAD[field].map(lambda bad: {field: bad})))
"""Good in all but one field, and that field."""


def text_of(content: Any) -> str:
    """The stored form, by the definition: text as it came, else canonical JSON."""
    return content if isinstance(content, str) else canonical_json(content)


def same(read: Any, given_: Any) -> bool:
    """Equal as JSON: 1 and 1.0 differ, -0.0 and 0.0 too."""
    return json.dumps(read, sort_keys=True) == json.dumps(given_, sort_keys=True)


def _as_json(content: str | None) -> Any:
    try:
        return json.loads(content or "")
    except ValueError:
        return content


def put(mr: MemoRepair, way: str, said: dict[str, Any]) -> None:
    """Put it in by one of the ways."""
    about = {field: said[field] for field in FOR_RECORDS}
    edge = {"key": "root", "role": said["role"]}
    if way == "record":
        mr.record(**about)
        return
    whole = {
        **about,
        "kind": "summary",
        "influenced_by": [edge],
        "operator": said["operator"],
        "recipe": said["metadata"],
    }
    if way == "derive":
        mr.derive(**whole)
    else:
        mr.load([json.dumps(whole) if way == "text" else whole])


def check_round_trip(mr: MemoRepair, way: str, said: dict[str, Any]) -> None:
    """Good input is stored, whole; a key that an earlier example had stands for what was said then."""
    if mr.get("root") is None:
        mr.record("root", key="root")
    if mr.get(said["key"]) is not None:
        return
    put(mr, way, said)
    read = mr.get(said["key"])
    assert read is not None
    assert (read.key, read.content) == (said["key"], text_of(said["content"]))
    assert same(read.metadata, said["metadata"])
    assert (read.value, read.cost) == (said["value"], said["cost"])
    if way != "record":
        assert (read.operator, mr.why(said["key"]).sources[0]["role"]) == (said["operator"], said["role"])
        assert same(read.recipe, said["metadata"])


def check_refusal(mr: MemoRepair, way: str, said: dict[str, Any]) -> None:
    """What is bad in one thing is refused, and nothing is written."""
    before = everything(mr)
    with pytest.raises(BadInput):
        put(mr, way, said)
    assert everything(mr) == before


ways = st.sampled_from(["record", "derive", "text", "object"])


@SHORT
@given(way=ways, said=good)
def test_what_can_be_stored_comes_back_unchanged(mr: MemoRepair, way: str, said: dict[str, Any]) -> None:
    check_round_trip(mr, way, said)


@SHORT
@given(way=st.sampled_from(["derive", "object"]), said=spoilt)
def test_what_is_bad_in_one_thing_is_refused_before_anything_is_written(
    mr: MemoRepair, way: str, said: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    check_refusal(mr, way, said[0] | said[1])


@pytest.mark.torture
@LONG
@given(way=ways, said=good)
def test_what_can_be_stored_comes_back_unchanged_a_thousand_times(
    mr: MemoRepair, way: str, said: dict[str, Any]
) -> None:
    check_round_trip(mr, way, said)


@pytest.mark.torture
@LONG
@given(way=st.sampled_from(["derive", "object"]), said=spoilt)
def test_what_is_bad_in_one_thing_is_refused_a_thousand_times(
    mr: MemoRepair, way: str, said: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    check_refusal(mr, way, said[0] | said[1])


@BRIEF
@given(text=any_texts)
def test_any_text_can_be_looked_for_and_asked_about(mr: MemoRepair, text: str) -> None:
    before = everything(mr)
    for ask in (mr.search, mr.get, mr.versions, mr.why, mr.status, mr.resume, mr.retry, mr.erase):
        try:
            found = ask(text)
        except (BadInput, NotFound):
            continue
        assert found in ((), None)
    assert everything(mr) == before


@BRIEF
@given(key=names, content=texts, mended=contents, reason=texts)
def test_a_correction_brings_the_new_content_whole(
    mr: MemoRepair, key: str, content: str, mended: Any, reason: str
) -> None:
    if mr.get(key) is None:
        mr.record(content, key=key)
    before = mr.get(key)
    assert before is not None
    event = RepairEvent.correct({key: mended}, reason=reason, actor=reason)
    outcomes = mr.repair(event).outcomes
    read = mr.get(key)
    assert read is not None
    if not outcomes:  # it held that already, or JSON that is equal but for the order of its members
        assert read == before
        assert _as_json(read.content) == _as_json(text_of(mended))
        return
    assert outcomes == {key: "replaced"}
    assert read.content == text_of(mended)
    (line,) = (line for line in mr.events() if line.event_id == event.id)
    assert (line.reason, line.actor) == (reason, reason)


@pytest.mark.parametrize("figure", [0, 5e-324, 1e308, 1.7976931348623157e308])
def test_extreme_figures_are_planned_with(mr: MemoRepair, figure: float) -> None:
    mr.record("root", key="root")
    for number in range(3):
        mr.derive(
            f"d {number}",
            key=f"d/{number}",
            kind="summary",
            influenced_by="root",
            operator="digest@1",
            value=figure,
            cost=figure,
        )
    plan = mr.preview(RepairEvent.correct({"root": "mended"}))
    assert len(plan.candidates) == 3
    report = mr.repair(RepairEvent.correct({"root": "mended"}))
    assert set(report.outcomes) == {"root", "d/0", "d/1", "d/2"}
    assert report.status == "closed"
