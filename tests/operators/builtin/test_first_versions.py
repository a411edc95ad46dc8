"""replay@1, summary@1 and note@1 make what their live sources say, and their validators catch what strays."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from memorepair_graphdb.errors import BadInput, OperatorError
from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.vocabulary import Outcome
from memorepair_graphdb.operators.builtin.summary.summary_1 import copies_only
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.execution.stage import Attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.payload import Payload, settle
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.operators.protocol.verdict import Review
from memorepair_graphdb.operators.text.sentences import cut
from memorepair_graphdb.repair.execution.validation import checked_job

WEATHER: dict[str, Any] = {
    "name": "weather",
    "description": "The weather in a `city`, now.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "name | code"},
            "unit": {"type": "string", "enum": ["C", "F"], "default": "C"},
            "days": {"type": "integer"},
        },
        "required": ["city"],
    },
    "outputSchema": {
        "type": "object",
        "properties": {
            "temp": {"type": "number"},
            "hours": {"type": "array", "items": {"$ref": "#/$defs/hour"}},
        },
        "$defs": {"hour": {"type": "object", "properties": {"rain": {"type": "number"}}}},
    },
}
RESPONSE = {"temp": 17.5, "station": "x9", "hours": [{"rain": 0, "raw": 3}, {"rain": 2}]}
DOC = LiveSource("doc/weather", "contract", Kind.RECORD, json.dumps(WEATHER))
RESP = LiveSource("resp/1", "response", Kind.RECORD, json.dumps(RESPONSE))
ASKED = LiveSource("instr/1", "request", Kind.RECORD, "How warm is Oslo?")
CALL = "{tool: contract.name, arguments: arguments, response: response}"


def context(*supports: LiveSource, recipe: Any, contracts: dict[str, Any] | None = None) -> Context:
    in_force = {"weather": WEATHER} if contracts is None else contracts
    return Context("cache/1", Kind.CACHE, recipe=recipe, interfaces=Interfaces.of(in_force), supports=supports)


def run(name: str, given: Context, registry: Registry | None = None) -> Any:
    operator = (registry or Registry.default()).find(name)
    assert operator is not None
    made = operator.run(given)
    return settle(asyncio.run(made) if asyncio.iscoroutine(made) else made).content


def objections(name: str, given: Context, content: str) -> dict[str, str]:
    """The operator's own checks that object to a content, each asked by itself, and what they say."""
    operator = Registry.default().find(name)
    assert operator is not None
    review = Review(given, (), lambda word: 99, Payload(content))
    verdicts = [check(review, content) for check in operator.validators]
    return {verdict.check: verdict.told for verdict in verdicts if not verdict.ok}


def tried(name: str, given: Context, retracted: tuple[str, ...] = ()) -> Attempt:
    operator = Registry.default().find(name)
    assert operator is not None
    return attempt(checked_job(operator, given, retracted, lambda word: 99))


# replay@1


def test_a_cached_call_is_replayed_and_cut_to_the_documented_fields() -> None:
    recipe = {"expression": CALL, "arguments": {"city": "Oslo"}, "fields_of": "contract"}
    made = tried("replay@1", context(DOC, RESP, ASKED, recipe=recipe))
    assert made.outcome is None
    assert made.payload == Payload(
        '{"arguments":{"city":"Oslo"},"response":{"hours":[{"rain":0},{"rain":2}],"temp":17.5},"tool":"weather"}'
    )


def test_sources_of_one_role_are_a_list_and_those_of_none_are_sources() -> None:
    more = LiveSource("resp/0", "response", Kind.RECORD, '{"temp":1}')
    loose = LiveSource("x", None, Kind.RECORD, "plain text")
    given = context(RESP, more, loose, recipe={"expression": "{temps: response[].temp, all: sources}"})
    assert run("replay@1", given) == '{"all":["plain text"],"temps":[1,17.5]}'


def test_a_text_that_an_expression_gives_stays_text() -> None:
    assert run("replay@1", context(ASKED, recipe={"expression": "request"})) == "How warm is Oslo?"


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (None, "has an expression or a tool"),
        (["x"], "is a JSON object, not list"),
        ({"expression": "response", "sorted": True}, "sorted: there is no such field"),
        ({"expression": "response."}, "the expression 'response.' fails"),
        ({"expression": "no_such"}, "finds nothing in"),
        ({"expression": "sum(request)"}, "fails"),
        ({"expression": "request", "arguments": [1]}, "arguments: Input should be a valid dictionary"),
        ({"expression": "request", "fields_of": "contract"}, "none is"),
        ({"tool": "clock"}, "no tool 'clock' is registered"),
    ],
)
def test_a_replay_that_cannot_be_done_says_why(recipe: Any, message: str) -> None:
    with pytest.raises((BadInput, OperatorError), match=message):
        run("replay@1", context(ASKED, recipe=recipe))


def test_a_recorded_call_that_the_contract_no_longer_takes_is_rejected() -> None:
    schema = {**WEATHER["inputSchema"], "required": ["city", "days"]}
    doc = LiveSource("doc/weather", "contract", Kind.RECORD, json.dumps({**WEATHER, "inputSchema": schema}))
    recipe = {"expression": CALL, "arguments": {"city": "Oslo"}, "fields_of": "contract"}
    made = tried("replay@1", context(doc, RESP, recipe=recipe))
    assert made.outcome is Outcome.REJECTED
    assert made.reason == (
        "takes_the_call: weather now requires days, which the recorded call does not give (saw city, wanted city, days)"
    )
    gone = {"expression": CALL, "arguments": {"city": "Oslo", "country": "NO"}, "fields_of": "contract"}
    assert "does not take country any more" in tried("replay@1", context(DOC, RESP, recipe=gone)).reason


def test_a_result_that_is_not_canonical_json_is_caught() -> None:
    given = context(DOC, RESP, recipe={"expression": CALL})
    assert objections("replay@1", given, '{"temp": 4}') == {
        "canonical": 'is not canonical JSON (saw {"temp": 4}, wanted {"temp":4})'
    }
    assert objections("replay@1", given, '{"temp":4}') == {}


def test_a_registered_tool_is_called_under_its_contract() -> None:
    registry = Registry.default()

    @registry.tool("weather", reads=True)
    async def weather(city: str, unit: str = "C") -> dict[str, Any]:
        return {"temp": len(city), "unit": unit}

    given = context(recipe={"tool": "weather", "arguments": {"city": "Oslo"}, "expression": "result.temp"})
    assert run("replay@1", given, registry) == "4"
    assert given.interfaces.read == {"weather"}  # type: ignore[attr-defined]
    with pytest.raises(OperatorError, match="does not take these arguments"):
        run("replay@1", context(recipe={"tool": "weather", "arguments": {"city": 4}}), registry)
    strict = {**WEATHER, "outputSchema": {"type": "object", "required": ["wind"]}}
    with pytest.raises(OperatorError, match="breaks its contract"):
        run("replay@1", context(recipe=given.recipe, contracts={"weather": strict}), registry)


def test_a_tool_that_returns_nothing_is_a_failure() -> None:
    registry = Registry.default()
    registry.tool("quiet", reads=True)(lambda: None)
    with pytest.raises(OperatorError, match="the tool quiet returned nothing"):
        run("replay@1", context(recipe={"tool": "quiet"}), registry)


# summary@1

PROSE = (
    "Dr. Smith measured rain in Oslo. The rain in Oslo was heavy. Cats sleep a lot. "
    "Rain fell in Oslo all night. A bus was late. The rain and the wind in Oslo closed the port."
)


def prose(*texts: str, **recipe: Any) -> Context:
    sources = (LiveSource(f"cache/{n}", None, Kind.CACHE, text) for n, text in enumerate(texts))
    return context(*sources, recipe=recipe or None)


def test_a_summary_copies_telling_sentences_in_their_order() -> None:
    made = tried("summary@1", prose(PROSE, sentences=3))
    assert made.outcome is None
    assert made.payload is not None
    lines = made.payload.content.split("\n")
    assert len(lines) == 3
    assert all(line in PROSE for line in lines)
    assert [PROSE.index(line) for line in lines] == sorted(PROSE.index(line) for line in lines)
    assert "Oslo" in run("summary@1", prose(PROSE, sentences=1))


def test_a_summary_is_the_same_in_every_process() -> None:
    program = (
        "import sys;from memorepair_graphdb.operators.protocol.context import *;"
        "from memorepair_graphdb.operators.builtin.summary.summary_1 import *;"
        "print(summarise(Context('s', Kind.SUMMARY, recipe={'sentences': 3},"
        "supports=tuple(LiveSource(str(n), None, Kind.CACHE, sys.argv[1][n:]) for n in range(4)))))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program, PROSE],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(said) == 1


def test_the_texts_of_json_are_summarised_and_its_figures_where_it_has_no_text() -> None:
    data = json.dumps({"temp": 4, "note": 'He said "rain is near". Take a coat along.', "id": "x1"})
    assert run("summary@1", prose(data)) == 'He said "rain is near".\nTake a coat along.'
    assert run("summary@1", prose('{"temp":4,"id":"x1"}')) == "4\nx1"
    assert tried("summary@1", prose(data)).outcome is None


@pytest.mark.parametrize(
    "text",
    [
        "One sentence only",
        "今天天气很好。我们去公园吧！你呢？",
        "วันนี้อากาศดีมาก เราไปสวนสาธารณะกันเถอะ",
        "word " * 3000,
        "x" * 5000,
        "{not json",
        "hard\nwrapped\r\nlines\u2028of text that\n\ngo on.",
        "a.b.c... ?!?! ... 1.2.3",
    ],
)
def test_any_text_can_be_summarised(text: str) -> None:
    made = tried("summary@1", prose(text, sentences=2))
    assert made.outcome is None, made.reason


def test_many_long_sources_are_summarised_in_bounded_time() -> None:
    texts = [" ".join(f"Sentence {n} of source {m} tells of topic {n % 7}." for n in range(200)) for m in range(20)]
    assert run("summary@1", prose(*texts)).count("\n") == 4


@pytest.mark.parametrize("texts", [(), ("",), ("…", "{}")])
def test_sources_without_text_are_no_summary(texts: tuple[str, ...]) -> None:
    with pytest.raises(OperatorError, match="hold no text"):
        run("summary@1", prose(*texts))


@pytest.mark.parametrize("sentences", [0, -1, True, "5", 2.0])
def test_a_summary_has_a_whole_number_of_sentences(sentences: Any) -> None:
    with pytest.raises(BadInput, match="sentences: Input should be"):
        run("summary@1", prose(PROSE, sentences=sentences))


def test_a_line_that_is_no_copy_is_caught() -> None:
    review = Review(prose(PROSE), (), lambda word: 99, Payload("Cats sleep a bit."))
    assert copies_only(review, "Cats sleep a lot.").ok
    assert (
        copies_only(review, "Cats sleep a bit.").reason == "the line 'Cats sleep a bit.' is no copy from a live source"
    )


@pytest.mark.parametrize("part", ["Cats sleep a", "sleep a lot.", "Cats sleep a lot"])
def test_a_line_that_is_a_part_of_a_sentence_is_no_copy(part: str) -> None:
    assert part in PROSE
    assert not copies_only(Review(prose(PROSE), (), lambda word: 99, Payload(part)), part).ok


def test_more_sentences_than_asked_for_are_rejected() -> None:
    given = prose(PROSE, sentences=1)
    operator = Registry.default().find("summary@1")
    assert operator is not None
    lines = "\n".join(cut(PROSE, "en"))
    made = attempt(checked_job(replace(operator, run=lambda _: lines), given, (), lambda word: 99))
    assert made.outcome is Outcome.REJECTED
    assert made.reason.startswith("keeps_length: longer than asked for")


# note@1

LESSONS = LiveSource(
    "sum/weather", "lessons", Kind.SUMMARY, "Oslo needs a country code.\nSet `unit` yourself.\nUse `zone` always."
)


def test_a_note_says_how_to_use_the_tool_by_its_contract_in_force() -> None:
    made = tried("note@1", context(LESSONS, recipe={"tool": "weather"}))
    assert made.outcome is None, made.reason
    assert made.payload is not None
    assert made.payload.content == (
        "# How to use the tool `weather`\n\n"
        "The weather in a 'city', now.\n\n"
        "## Parameters\n\n"
        "| Parameter | Type | Required | Default | Description |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| `city` | string | yes |  | name \\| code |\n"
        "| `days` | integer | no |  |  |\n"
        '| `unit` | "C" or "F" | no | "C" |  |\n\n'
        "## Example call\n\n"
        '    {"arguments":{"city":"<city>","unit":"C"},"tool":"weather"}\n\n'
        "## What earlier calls showed\n\n"
        "- Oslo needs a country code.\n"
        "- Set `unit` yourself.\n"
    )
    assert made.read == {"weather"}


def test_a_note_follows_a_migrated_contract_and_drops_the_lessons_of_the_old() -> None:
    renamed = {"name": "weather", "inputSchema": {"properties": {"place": {"type": "string"}}, "required": ["place"]}}
    text = run("note@1", context(LESSONS, recipe={"tool": "weather"}, contracts={"weather": renamed}))
    assert "| `place` | string | yes |" in text
    assert "unit" not in text


def test_a_note_on_several_tools_or_without_parameters() -> None:
    bare = {"name": "clock", "inputSchema": {"type": "object"}}
    text = run("note@1", context(recipe={"tools": ["weather", "clock"]}, contracts={"weather": WEATHER, "clock": bare}))
    assert "# How to use the tool `clock`\n\nIt takes no parameters.\n" in text
    assert "# How to use the tool `weather`" in text


def test_a_note_takes_the_contract_from_a_source_where_none_is_in_force_under_that_name() -> None:
    assert "`city`" in run("note@1", context(DOC, recipe={"tool": "weather"}, contracts={}))


def test_a_retired_tool_has_no_note() -> None:
    with pytest.raises(OperatorError, match="the tool 'weather' has no contract in force"):
        run("note@1", context(LESSONS, recipe={"tool": "weather"}, contracts={}))


@pytest.mark.parametrize("recipe", [None, {}, {"tools": []}, {"tool": 3}, {"tools": "weather"}])
def test_a_notes_recipe_names_its_tools(recipe: Any) -> None:
    with pytest.raises(BadInput, match="the recipe of cache/1: "):
        run("note@1", context(recipe=recipe))


def test_a_note_that_names_what_no_contract_has_is_caught() -> None:
    given = context(recipe={"tool": "weather"})
    assert objections("note@1", given, "Give `weather` a `city`.") == {}
    assert objections("note@1", given, "Give `city` and `zone`.") == {
        "known_names": "names zone, which no contract in force has (saw zone, wanted city, days, unit, weather)"
    }
    assert objections("note@1", given, "Use `weather`.") == {
        "required_named": "does not say that weather requires city (saw weather, wanted city)"
    }


def test_a_notes_own_phrases_are_no_residue() -> None:
    given = context(LESSONS, recipe={"tool": "weather"})
    former = (
        "# How to use the tool `weather`\n\n## Parameters\n\n## What earlier calls showed\n\nIt takes no parameters."
    )
    assert tried("note@1", given, retracted=(former,)).outcome is None
