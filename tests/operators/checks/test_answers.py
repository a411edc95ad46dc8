"""What a tool answers afresh may name the world, and tells nothing of a person whose text was deleted.

Each row is judged by hand.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.operators.builtin import replay_1
from memorepair_graphdb.operators.builtin.tool_call import register
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.execution.stage import Attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.execution.validation import checked_job

KEPT = LiveSource("ask/2", "request", Kind.RECORD, "Weather in Oslo please.")
CONTRACT = {"name": "look_up", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}


def answered(
    answer: Any, deleted: str, corrected: dict[str, str] | None = None, operator_name: str = "replay@2"
) -> Attempt:
    """Replay a call of a tool that answers this, in an empty space: every word is rare."""
    registry = Registry()
    register(registry)
    replay_1.register(registry)
    registry.tool("look_up", reads=True)(lambda q: answer)
    operator = registry.find(operator_name)
    assert operator is not None
    recipe = {"tool": "look_up", "arguments": {"q": "Oslo"}}
    context = Context(
        "cache/1", Kind.CACHE, recipe=recipe, interfaces=Interfaces.of({"look_up": CONTRACT}), supports=(KEPT,)
    )
    retracted = (deleted, *(corrected or {})) if deleted else tuple(corrected or {})
    return attempt(checked_job(operator, context, retracted, lambda word: 0, corrected))


WORLD: list[tuple[Any, str]] = [
    ({"country": "Norway"}, "What is the weather at Blindern in Norway, I mean Oslo?"),
    ("Norway", "Is Norway colder than Sweden?"),
    ({"name": "New York", "sky": "Light rain"}, "Will it rain in New York or in Boston tonight?"),
    ({"station": "Bergen", "temp": 14}, "How warm is it in Bergen, above 14 degrees?"),
    ({"at": "2026-12-03T10:30:00Z", "wind": "4 m/s"}, "Wind in m/s at 10:30 on 2026-12-03, please."),
    ({"year": 2024}, "Show me all floods of 2024 and before."),
    (
        {"text": "light rain showers and a moderate breeze from the west today"},
        "there will be light rain showers and a moderate breeze from the west today",
    ),
    ({"humidity": 70, "pressure": 1}, json.dumps({"humidity": 3, "pressure": 5})),
    ({"天气": "晴"}, "奥斯陆的天气怎么样"),
]
LEAKS: list[tuple[Any, str, str]] = [
    ({"customer": "Ann Kowalczyk"}, "Ann Kowalczyk of 14 Elm Road asks for Oslo.", "Ann"),
    ({"customer": "kowalczyk, a."}, "Please help Ann Kowalczyk.", "Kowalczyk"),
    ({"customer": "Maria"}, "Maria wants her money back.", "Maria"),
    ({"votes": {"Kowalczyk": 3}}, "Ann Kowalczyk votes for the lamp.", "Kowalczyk"),
    ({"call": "+44 20 7946 0958"}, "Call me at +44 20 7946 0958, says Ann.", "7946"),
    ({"call": "02079460958"}, "Call me at 020 7946 0958.", "02079460958"),
    ({"account": "PL-4471-0092"}, "My account is PL-4471-0092.", "PL-4471-0092"),
    ({"order": 77412}, "Where is order 77412?", "77412"),
    ({"mail": "ann.kowalczyk@example.org"}, "Write to ann.kowalczyk@example.org.", "ann.kowalczyk@example.org"),
    ({"login": "ann.kowalczyk"}, "I log in as ann.kowalczyk here.", "ann.kowalczyk"),
    ({"author": "Jack London"}, "A refund for Jack London, please.", "Jack"),
    ({"author": "Jordan"}, "The refund goes to Jordan today.", "Jordan"),
    ({"house": "2044 Elm"}, "I live at 2044 Elm Street.", "2044"),
    ({"guest": "Norway Berg"}, "The room is for Norway Berg tonight.", "Norway"),
    ({"客户": "王小明"}, "客户王小明要求退款五百元。", "王小明"),
]


@pytest.mark.parametrize("operator_name", ["replay@1", "replay@2"])
@pytest.mark.parametrize(("answer", "deleted"), WORLD)
def test_what_the_world_says_is_published(answer: Any, deleted: str, operator_name: str) -> None:
    made = answered(answer, deleted, operator_name=operator_name)
    assert made.payload is not None, made.reason


@pytest.mark.parametrize("operator_name", ["replay@1", "replay@2"])
@pytest.mark.parametrize(("answer", "deleted", "shown"), LEAKS)
def test_what_tells_of_a_person_whose_text_was_deleted_is_caught(
    answer: Any, deleted: str, shown: str, operator_name: str
) -> None:
    made = answered(answer, deleted, operator_name=operator_name)
    assert made.payload is None
    assert made.reason.startswith("residue: ")
    assert shown.casefold() in made.reason.casefold()


def test_after_a_correction_an_answer_is_held_to_the_corrected_values_alone() -> None:
    old, now = "Ann Berg lives in Bergen, at 4711 Elm Road.", "Ann Berg lives in Oslo, at 5822 Elm Road."
    corrected = {old: now}
    assert answered({"who": "Ann Berg", "road": "Elm Road"}, "", corrected).payload is not None
    assert "'Bergen'" in answered({"where": "Bergen"}, "", corrected).reason
    assert "'4711'" in answered({"at": 4711}, "", corrected).reason
    assert "'Ann'" in answered({"who": "Ann Berg"}, "Ann Berg asks again.", corrected).reason


def test_what_is_computed_from_sources_and_not_answered_by_a_tool_is_held_to_every_word() -> None:
    registry = Registry()
    replay_1.register(registry)
    operator = registry.find("replay@1")
    assert operator is not None
    recipe = {"expression": "{country: 'Norway', asked: request}"}
    context = Context("cache/1", Kind.CACHE, recipe=recipe, supports=(KEPT,))
    made = attempt(checked_job(operator, context, ("At Blindern in Norway, I mean Oslo?",), lambda word: 0))
    assert "'Norway' is from a retracted text" in made.reason
