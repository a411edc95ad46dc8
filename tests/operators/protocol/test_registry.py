"""A registry takes well-named operators once, and gives what was registered."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from memorepair_graphdb.errors import BadInput, OperatorError
from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.vocabulary import Mode, SupportNeed
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.payload import Payload, settle
from memorepair_graphdb.operators.protocol.registry import BUILT_IN, Registry

CONTEXT = Context(
    "note/1",
    Kind.SUMMARY,
    supports=(
        LiveSource("a", "response", Kind.RECORD, "x" * 40),
        LiveSource("b", None, Kind.CACHE, "", size=60),
        LiveSource("c", "response", Kind.RECORD, '{"n":1}'),
    ),
)


def digest(context: Context) -> str:
    """Join the sources.

    And more.
    """
    return " ".join(source.content for source in context.supports)


def test_the_built_in_operators_are_there_and_each_has_a_validator() -> None:
    registry = Registry.default()
    assert {operator.name: (operator.mode, operator.support) for operator in registry} == {
        "adapter@1": (Mode.PARAM, SupportNeed.AVAILABLE),
        "chain@1": (Mode.REGEN, SupportNeed.AVAILABLE),
        "llm@1": (Mode.REGEN, SupportNeed.AVAILABLE),
        "note@1": (Mode.REGEN, SupportNeed.AVAILABLE),
        "note@2": (Mode.REGEN, SupportNeed.AVAILABLE),
        "replay@1": (Mode.RECOMPUTE, SupportNeed.ALL),
        "replay@2": (Mode.RECOMPUTE, SupportNeed.ALL),
        "selector@1": (Mode.PARAM, SupportNeed.AVAILABLE),
        "summary@1": (Mode.REGEN, SupportNeed.AVAILABLE),
        "summary@2": (Mode.REGEN, SupportNeed.AVAILABLE),
    }
    assert registry.names() == tuple(sorted(BUILT_IN))
    assert len(registry) == len(BUILT_IN)
    assert all(operator.validators and operator.description and operator.cost for operator in registry)
    assert all(operator.kinds for operator in registry)
    assert all(operator.extra for operator in registry if operator.needs)


def test_a_built_in_operator_is_imported_when_somebody_asks_for_it() -> None:
    code = (
        "import sys; from memorepair_graphdb.operators.protocol.registry import Registry; r = Registry.default(); "
        "before = 'memorepair_graphdb.operators.builtin.note.note_1' in sys.modules; 'note@1' in r; r.names(); "
        "named = 'memorepair_graphdb.operators.builtin.note.note_1' in sys.modules; r.find('note@1'); "
        "print(before, named, "
        "'memorepair_graphdb.operators.builtin.note.note_1' in sys.modules, 'igraph' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said.split() == ["False", "False", "True", "False"]


def test_a_check_can_be_added_to_a_built_in_operator_and_its_name_is_taken() -> None:
    registry = Registry.default()
    before = registry.find("note@1")
    registry.validator("note@1")(lambda review, content: True)
    operator = registry.find("note@1")
    assert before is not None
    assert operator is not None
    assert operator.validators[:-1] == before.validators
    assert len(operator.validators) == len(before.validators) + 1
    with pytest.raises(BadInput, match="registered already"):
        Registry.default().operator("note@1", mode="regen")(digest)


def test_each_default_registry_is_its_own() -> None:
    one, other = Registry.default(), Registry.default()
    one.operator("digest@1", mode="regen")(digest)
    assert "digest@1" in one
    assert "digest@1" not in other


def test_an_operator_is_found_as_it_was_registered() -> None:
    registry = Registry()
    decorated = registry.operator("digest@2", mode="regen", support="available", previous=True, timeout=3)(digest)
    assert decorated is digest
    operator = registry.find("digest@2")
    assert operator is not None
    assert (operator.mode, operator.support, operator.previous, operator.timeout) == (
        Mode.REGEN,
        SupportNeed.AVAILABLE,
        True,
        3.0,
    )
    assert operator.description == "Join the sources."
    assert registry.find("digest@1") is None
    assert registry.find(None) is None


def test_validators_are_added_in_turn() -> None:
    registry = Registry()
    registry.operator("digest@1", mode="regen")(digest)
    first = registry.validator("digest@1")(lambda review, content: True)
    second = registry.validator("digest@1")(lambda review, content: True)
    operator = registry.find("digest@1")
    assert operator is not None
    assert operator.validators == (first, second)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("digest", {"mode": "regen"}, "name@version"),
        ("dig est@1", {"mode": "regen"}, "name@version"),
        ("a@1@2", {"mode": "regen"}, "name@version"),
        ("digest@1", {"mode": "remove"}, "recompute, regen, param, not 'remove'"),
        ("digest@1", {"mode": "rewrite"}, "not 'rewrite'"),
        ("digest@1", {"mode": "regen", "support": "some"}, "all, available, not 'some'"),
        ("digest@1", {"mode": "regen", "timeout": 0}, "above 0"),
        ("digest@1", {"mode": "regen", "timeout": float("inf")}, "above 0"),
        ("digest@1", {"mode": "regen", "templates": "one"}, "tuple of phrases"),
        ("taken@1", {"mode": "regen"}, "registered already"),
    ],
)
def test_a_wrong_registration_is_refused_with_the_reason(name: str, settings: dict[str, Any], message: str) -> None:
    registry = Registry()
    registry.operator("taken@1", mode="regen")(digest)
    with pytest.raises(BadInput, match=message):
        registry.operator(name, **settings)


def test_a_validator_needs_its_operator_and_a_tool_its_name() -> None:
    registry = Registry()
    with pytest.raises(BadInput, match="no operator digest@1 to validate"):
        registry.validator("digest@1")
    registry.tool("clock")(lambda: 1)
    with pytest.raises(BadInput, match="'clock' is registered already"):
        registry.tool("clock")


def test_an_estimate_is_the_operators_or_a_quarter_of_the_characters() -> None:
    registry = Registry()
    registry.operator("plain@1", mode="regen")(digest)
    registry.operator("counted@1", mode="regen", cost=lambda context: len(context.supports))(digest)
    plain, counted = registry.find("plain@1"), registry.find("counted@1")
    assert plain is not None
    assert counted is not None
    assert plain.estimate(CONTEXT) == (40 + 60 + 7) / 4
    assert plain.estimate(Context("empty", Kind.SUMMARY)) == 1
    assert counted.estimate(CONTEXT) == 3


def test_what_an_estimate_raises_comes_through() -> None:
    def costs(context: Context) -> float:
        raise BadInput("the recipe has no tool")

    registry = Registry()
    registry.operator("odd@1", mode="regen", cost=costs)(digest)
    operator = registry.find("odd@1")
    assert operator is not None
    with pytest.raises(BadInput, match="the recipe has no tool"):
        operator.estimate(CONTEXT)


@pytest.mark.parametrize("figure", [-1, float("nan"), float("inf"), None, True, "5", 10**400, [1.0], 1j])
def test_an_estimate_that_is_no_number_of_tokens_is_refused(figure: Any) -> None:
    registry = Registry()
    registry.operator("odd@1", mode="regen", cost=lambda context: figure)(digest)
    operator = registry.find("odd@1")
    assert operator is not None
    with pytest.raises(ValueError, match="its estimate"):
        operator.estimate(CONTEXT)


def test_a_context_finds_its_sources_by_role_and_key() -> None:
    assert [source.key for source in CONTEXT.by_role("response")] == ["a", "c"]
    assert [source.key for source in CONTEXT.by_role(None)] == ["b"]
    assert CONTEXT.source("c").data == {"n": 1}
    with pytest.raises(OperatorError, match="no source 'z' in service"):
        CONTEXT.source("z")


def test_reading_a_contract_is_noted_and_asking_for_its_name_is_not() -> None:
    contracts = Interfaces({"weather": ("a_1", '{"name":"weather"}'), "clock": ("a_2", '{"name":"clock"}')})
    assert "weather" in contracts
    assert sorted(contracts) == ["clock", "weather"]
    assert len(contracts) == 2
    assert contracts.read == frozenset()
    assert contracts["weather"] == {"name": "weather"}
    assert contracts.get("gone") is None
    assert contracts.read == {"a_1"}
    assert contracts.texts_read == ('{"name":"weather"}',)
    view = contracts.fresh()
    assert view.read == frozenset()
    assert dict(view.items()) == {"weather": {"name": "weather"}, "clock": {"name": "clock"}}
    assert view.read == {"a_1", "a_2"}
    assert contracts.read == {"a_1"}


def test_a_payload_holds_text_as_it_came_and_json_as_canonical_text() -> None:
    assert settle("as it came").content == "as it came"
    assert settle({"b": 1, "a": [2]}).content == '{"a":[2],"b":1}'
    payload = Payload({"a": 1}, blob=b"x", metadata={"n": 1}, embedding=[1, 0], spent=3)
    assert settle(payload) is payload
    assert (payload.content, payload.blob, payload.embedding, payload.spent) == ('{"a":1}', b"x", (1.0, 0.0), 3.0)
    with pytest.raises(AttributeError, match="frozen"):
        payload.content = "other"


def test_whoever_asks_first_or_at_the_same_time_gets_an_operator_with_all_its_checks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Slow:
        """A module whose checks come a while after its operator."""

        @staticmethod
        def register(registry: Registry) -> None:
            registry.operator("note@1", mode="regen")(digest)
            time.sleep(0.2)
            registry.validator("note@1")(lambda review, content: False)

    def imported(name: str, package: str) -> type[Slow]:
        time.sleep(0.1)
        return Slow

    monkeypatch.setattr("memorepair_graphdb.operators.protocol.registry.import_module", imported)
    registry, found = Registry.default(), []

    def ask() -> None:
        operator = registry.find("note@1")
        found.append(None if operator is None else len(operator.validators))

    askers = [threading.Thread(target=ask) for _ in range(8)]
    for place, asker in enumerate(askers):
        asker.start()
        time.sleep(0.05 * (place < 6))
    for asker in askers:
        asker.join()
    assert found == [1] * 8


def test_an_operator_whose_module_fails_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(name: str, package: str) -> None:
        raise ImportError("a broken disk")

    registry = Registry.default()
    with monkeypatch.context() as patch:
        patch.setattr("memorepair_graphdb.operators.protocol.registry.import_module", failing)
        with pytest.raises(ImportError, match="broken disk"):
            registry.find("note@1")
    assert "note@1" in registry
    assert registry.find("note@1") is not None
