"""Nothing deleted comes back in a recipe, in a role, in a key of JSON or in metadata; what can go is dropped."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import Context, Registry, RepairEvent
from memorepair_graphdb.store import cascades

if TYPE_CHECKING:
    from memorepair_graphdb import Artifact, MemoRepair

REQUEST = "I am Ann Kowalczyk, and my phone is 0047 2211 3355. What is the weather in Oslo?"
WEATHER = {"name": "weather", "inputSchema": {"properties": {"city": {"type": "string"}, "customer": {}}}}
NAMES = ("ann", "kowalczyk", "22113355", "2211")


@pytest.fixture
def registry() -> Registry:
    registry = Registry.default()
    registry.operator("mild@1", mode="regen", support="available")(lambda context: "It is mild in Oslo.")
    registry.operator("count@1", mode="regen", support="available")(lambda context: {"votes": {"Kowalczyk": 3}})
    registry.operator("seen@1", mode="regen", support="available")(_recipe_as_text)
    return registry


def _recipe_as_text(context: Context) -> str:
    return json.dumps(context.recipe)


def ask(mr: MemoRepair) -> None:
    mr.record(REQUEST, key="msg/1")
    mr.record("It is mild in Oslo.", key="resp/1")
    mr.record(WEATHER, key="tool/weather", tool="weather")


def derive(mr: MemoRepair, key: str, operator: str, **more: Any) -> None:
    sources = more.pop("influenced_by", ["msg/1", "resp/1"])
    kind = more.pop("kind", "summary")
    mr.derive("It is mild.", key=key, kind=kind, influenced_by=sources, operator=operator, **more)


def forget(mr: MemoRepair) -> Any:
    return mr.repair(RepairEvent.delete(["msg/1"]), tradeoff=0)


def readable(artifact: Artifact) -> str:
    """All that a reader sees of an artifact, as one text."""
    return json.dumps([artifact.key, artifact.content, artifact.recipe, artifact.metadata], ensure_ascii=False)


def test_the_checks_of_a_recipe_that_quote_the_deleted_are_dropped_and_the_rest_goes_on(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    about_ann = {"question": "What does Ann Kowalczyk ask for?", "must": ["mild"]}
    derive(mr, "sum/1", "mild@1", recipe={"checks": [about_ann, {"question": "Where?", "must": ["Oslo"]}]})
    report = forget(mr)
    assert report.outcomes["sum/1"] == "published"
    assert mr.get("sum/1").recipe == {"checks": [{"question": "Where?", "must": ["Oslo"]}]}
    assert not mr.search("Kowalczyk", by="text")


def test_a_list_of_which_nothing_stays_is_dropped_whole(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "mild@1", recipe={"checks": [{"must_not": ["Kowalczyk"]}], "sentences": 2})
    assert forget(mr).outcomes["sum/1"] == "published"
    assert mr.get("sum/1").recipe == {"sentences": 2}


@pytest.mark.parametrize(
    ("operator", "recipe"),
    [
        ("mild@1", {"arguments": {"customer": "Ann Kowalczyk"}}),
        ("mild@1", {"arguments": {"customer": "ANN  KOWALCZYK"}}),
        ("mild@1", {"phone": "+47-2211-3355"}),
        ("mild@1", {"prompt": "Say it as to ann kowalczyk"}),
        ("mild@1", ["Kowalczyk"]),
    ],
)
def test_a_recipe_that_cannot_do_without_what_it_quotes_keeps_its_artifact_withdrawn(
    memory, registry, operator, recipe
):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", operator, recipe=recipe)
    (planned,) = mr.preview(RepairEvent.delete(["msg/1"]), tradeoff=0).candidates
    assert not planned.executable
    assert planned.reason.startswith("its recipe quotes what was retracted: ")
    report = forget(mr)
    assert (report.outcomes["sum/1"], mr.get("sum/1")) == ("not_executable", None)
    assert report.reasons["sum/1"] == planned.reason


def test_a_name_as_a_key_in_a_recipe_is_found_before_the_recipe_is_used(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "mild@1", recipe={"prompt": {"by": {"Kowalczyk": 1}}})
    report = forget(mr)
    assert report.outcomes["sum/1"] == "rejected"
    assert report.reasons["sum/1"].startswith("its recipe quotes what was retracted: the JSON key 'Kowalczyk'")


def test_the_arguments_of_a_cached_call_are_looked_through(memory, registry):
    calls: list[dict[str, Any]] = []

    @registry.runner(reads=True)
    def run(tool: str, arguments: dict[str, Any]) -> str:
        calls.append(arguments)
        return "mild"

    mr = memory(registry=registry)
    ask(mr)
    recipe = {"tool": "weather", "arguments": {"city": "Oslo", "customer": "Ann Kowalczyk"}}
    derive(
        mr,
        "cache/1",
        "replay@2",
        kind="cache",
        recipe=recipe,
        influenced_by=[{"key": "msg/1", "required": False}, "tool/weather"],
    )
    report = forget(mr)
    assert report.outcomes["cache/1"] == "not_executable"
    assert calls == []


def test_a_word_of_a_live_source_or_of_the_contract_may_stand_in_a_recipe(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "mild@1", recipe={"arguments": {"city": "Oslo"}, "tool": "weather"})
    assert forget(mr).outcomes["sum/1"] == "published"
    assert mr.get("sum/1").recipe == {"arguments": {"city": "Oslo"}, "tool": "weather"}


def test_a_role_that_names_somebody_deleted_stops_the_rebuild(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "mild@1", influenced_by=["msg/1", {"key": "resp/1", "role": "answer to Kowalczyk"}])
    report = forget(mr)
    assert report.outcomes["sum/1"] == "not_executable"
    assert "role" in report.reasons["sum/1"]


def test_a_name_as_a_key_of_json_is_no_word_of_a_schema(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "count@1")
    report = forget(mr)
    assert report.outcomes["sum/1"] == "rejected"
    assert report.reasons["sum/1"] == "residue: the JSON key 'Kowalczyk' is from a retracted text"


@pytest.mark.parametrize(
    ("text", "outcome"), [("Kowalczyk wrote.", "rejected"), ("Mild (notes/Kowalczyk/1).", "published")]
)
def test_a_key_of_a_live_source_may_be_named_as_a_whole_and_excuses_nothing_else(memory, registry, text, outcome):
    mr = memory(registry=registry)
    registry.operator("writes@1", mode="regen", support="available")(lambda context: text)
    ask(mr)
    mr.record("It is mild in Oslo.", key="notes/Kowalczyk/1")
    derive(mr, "sum/1", "writes@1", influenced_by=["msg/1", "notes/Kowalczyk/1"])
    assert forget(mr).outcomes["sum/1"] == outcome


def test_each_role_of_a_source_with_two_is_looked_through(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    roles = [{"key": "resp/1", "role": role} for role in ("answer", "for Kowalczyk", "zeal")]
    derive(mr, "sum/1", "mild@1", influenced_by=["msg/1", *roles])
    (planned,) = mr.preview(RepairEvent.delete(["msg/1"]), tradeoff=0).candidates
    assert (planned.executable, "role" in planned.reason) == (False, True)


def test_metadata_whose_keys_the_recipe_names_are_kept(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    about = {"metadata": {"weather": 1}, "recipe": {"schema": {"properties": {"weather": True}}}}
    derive(mr, "named", "mild@1", **about)
    derive(mr, "unnamed", "mild@1", metadata={"phone": 1})
    assert forget(mr).counts["published"] == 2
    assert (mr.get("named").metadata, mr.get("unnamed").metadata) == ({"weather": 1}, None)


def test_a_plan_reads_what_is_stored_of_an_artifact_once(memory, registry, monkeypatch):
    reads: list[str] = []
    sizes = cascades.sizes

    def count(tx: Any, space: str, ids: Any) -> Any:
        reads.extend(ids)
        return sizes(tx, space, ids)

    monkeypatch.setattr(cascades, "sizes", count)
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "mild@1", recipe={"phone": "0047 2211 3355"})
    recipe = {"tool": "weather", "arguments": {"city": "Oslo"}}
    derive(mr, "cache/1", "replay@2", kind="cache", recipe=recipe, influenced_by=["msg/1", "tool/weather"])
    mr.preview(RepairEvent.delete(["msg/1"]), tradeoff=0)
    assert len(reads) == len(set(reads)) > 2


def test_what_only_an_earlier_event_retracted_is_found_when_the_recipe_is_used(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    mr.record("A second source.", key="resp/2")
    derive(mr, "sum/1", "mild@1", influenced_by=["msg/1", "resp/1", "resp/2"], recipe={"phone": "0047 2211 3355"})
    forget(mr)
    report = mr.repair(RepairEvent.delete(["resp/2"]), tradeoff=0)
    assert report.outcomes.get("sum/1") != "published"
    assert mr.get("sum/1") is None


def test_an_operator_is_given_the_recipe_without_what_was_dropped(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "seen@1", recipe={"checks": [{"must_not": ["Kowalczyk"]}, {"must_not": ["rain"]}]})
    assert forget(mr).outcomes["sum/1"] == "rejected"  # it says "rain", as its last check forbids: that one is left
    assert "Kowalczyk" not in json.dumps(mr.why("sum/1").reason)


def test_nothing_that_a_reader_sees_after_a_deletion_names_the_deleted(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "mild@1", metadata={"title": "For Ann Kowalczyk"})
    derive(mr, "sum/2", "mild@1", metadata={"Kowalczyk": True}, recipe={"checks": [{"must_not": ["Kowalczyk"]}]})
    assert forget(mr).counts["published"] == 2
    for key in ("sum/1", "sum/2"):
        seen = readable(mr.get(key)).casefold()
        assert not any(name in seen for name in NAMES), seen


def test_a_contract_migration_looks_through_no_recipe(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "mild@1", influenced_by=["tool/weather"], recipe={"arguments": {"customer": "Ann Kowalczyk"}})
    report = mr.repair(RepairEvent.migrate({"tool/weather": {**WEATHER, "description": "New."}}), tradeoff=0)
    assert report.outcomes["sum/1"] == "published"
    assert mr.get("sum/1").recipe == {"arguments": {"customer": "Ann Kowalczyk"}}


def test_what_a_correction_keeps_may_stay_in_a_recipe(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "sum/1", "mild@1", recipe={"for": "Kowalczyk"})
    report = mr.repair(RepairEvent.correct({"msg/1": "I am Ann Kowalczyk. Is it mild in Bergen?"}), tradeoff=0)
    assert report.outcomes["sum/1"] == "published"


def test_keys_that_hold_a_deleted_name_stay_and_are_told_until_and_when_it_is_erased(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    for key in ("summary/Ann Kowalczyk", "summary/kowalczyk_1", "summary/weather", "phone 0047-2211-3355", "summary/7"):
        derive(mr, key, "mild@1")
    report = forget(mr)
    quoting = ("phone 0047-2211-3355", "summary/Ann Kowalczyk", "summary/kowalczyk_1")
    assert report.quoting_keys == quoting
    assert mr.get("summary/Ann Kowalczyk") is not None
    told = "3 keys hold words of what was retracted, and stay as they are: " + ", ".join(quoting)
    assert told in report.notes
    assert mr.status(report.event_id).quoting_keys == quoting
    assert mr.erase(report.event_id).quoting_keys == quoting
    assert mr.status(report.event_id).quoting_keys == ()


def test_a_migration_tells_of_no_keys(memory, registry):
    mr = memory(registry=registry)
    ask(mr)
    derive(mr, "weather of Kowalczyk", "mild@1", influenced_by=["tool/weather"])
    report = mr.repair(RepairEvent.migrate({"tool/weather": {**WEATHER, "description": "New."}}), tradeoff=0)
    assert report.quoting_keys == ()


@pytest.mark.parametrize(
    ("deleted", "key", "common"),
    [
        ("客户王小明要求退款五百元。", "sum/王小明", "客户"),
        ("ग्राहक अनिता शर्मा ने पैसे वापस माँगे।", "summary/अनिता", "ग्राहक"),
        ("ลูกค้าชื่อกิตติพงษ์ขอคืนเงิน", "สรุป/กิตติพงษ์", "ลูกค้า"),
    ],
)
def test_a_deleted_name_in_a_key_is_told_in_scripts_without_capitals_too(memory, registry, deleted, key, common):
    mr = memory(registry=registry)
    mr.record(deleted, key="msg/1")
    mr.record("It is mild in Oslo.", key="resp/1")
    for number in range(5):
        mr.record(f"{common} {number}", key=f"other/{number}")
    for name in (key, f"{common}/1"):
        derive(mr, name, "mild@1")
    assert forget(mr).quoting_keys == (key,)
