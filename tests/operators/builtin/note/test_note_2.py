"""note@2 says how to use tools by their contracts in force, and each of its checks alone catches a fault."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from memorepair_graphdb.errors import BadInput, OperatorError
from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.vocabulary import Mode, Outcome
from memorepair_graphdb.operators.builtin.note.blocks import blocks_of
from memorepair_graphdb.operators.builtin.note.note_2 import NAME, register, write_note
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.operator import Operator
from memorepair_graphdb.operators.protocol.payload import Payload
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.operators.protocol.verdict import Review, Verdict
from memorepair_graphdb.repair.execution.validation import checked_job

WEATHER: dict[str, Any] = {
    "name": "weather",
    "description": "The weather in a `city`, now.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "name | code"},
            "unit": {"type": "string", "enum": ["C", "F"], "default": "C"},
            "days": {"type": "integer", "minimum": 3},
        },
        "required": ["city", "days"],
    },
}
CLOCK: dict[str, Any] = {"name": "clock", "inputSchema": {"type": "object"}}
FORMER: dict[str, Any] = {
    "name": "weather",
    "inputSchema": {"type": "object", "properties": {"place": {"type": "string"}, "max_rows": {"type": "integer"}}},
}
LESSONS = LiveSource(
    "sum/weather",
    "summary",
    Kind.SUMMARY,
    "Oslo needs a country code.\nSet `unit` yourself.\nUse `zone` always.\nLarge max_rows time out.\n"
    "Answers come within 1500 ms.\nAsk for place=Oslo.\nThis is the place to ask.\n"
    'Say `{"tool":"weather","arguments":{"city":"x","days":2}}`.',
)
OLD_NOTE = '# How to use the tool `weather`\n\nGive it `place`.\n\n    {"tool":"weather","arguments":{"max_rows":7}}\n'


def context(
    previous: str | None = OLD_NOTE,
    contracts: dict[str, Any] | None = None,
    tools: tuple[str, ...] = ("weather",),
    **more: Any,
) -> Context:
    in_force = {"weather": WEATHER, "clock": CLOCK} if contracts is None else contracts
    recipe = {"tools": list(tools), **more}
    return Context(
        "note/weather", Kind.SKILL, Arch.PROMPT, recipe, Interfaces.of(in_force), previous, supports=(LESSONS,)
    )


def operator() -> Operator:
    registry = Registry()
    register(registry)
    found = registry.find(NAME)
    assert found is not None
    return found


def refusals(given: Context, content: str) -> dict[str, Verdict]:
    """Which checks, each asked alone, say no; the mode's last."""
    review = Review(given, (), lambda word: 99, Payload(content))
    verdicts = [check(review, content) for check in operator().validators]
    fixed = replace(operator(), run=lambda _: content, validators=(), vouching=())
    verdicts += attempt(checked_job(fixed, given, (), lambda word: 99)).checks
    return {verdict.check: verdict for verdict in verdicts if not verdict.ok}


GOOD = write_note(context())


def test_a_note_says_what_the_contract_in_force_says_and_leaves_out_lessons_of_another() -> None:
    assert GOOD == (
        "# How to use the tool `weather`\n\n"
        "The weather in a 'city', now.\n\n"
        "## Parameters\n\n"
        "| Parameter | Type | Required | Default | Description |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| `city` | string | yes |  | name \\| code |\n"
        "| `days` | integer | yes |  |  |\n"
        '| `unit` | "C" or "F" | no | "C" |  |\n\n'
        "## Example call\n\n"
        '    {"arguments":{"city":"<city>","days":3,"unit":"C"},"tool":"weather"}\n\n'
        "## What earlier calls showed\n\n"
        "- Oslo needs a country code.\n"
        "- Set `unit` yourself.\n"
        "- Answers come within 1500 ms.\n"
        "- This is the place to ask.\n"
    )


def test_a_good_note_passes_every_check_and_reads_its_contract_alone() -> None:
    assert refusals(context(), GOOD) == {}
    made = attempt(checked_job(operator(), context(), (), lambda word: 99))
    assert made.outcome is None, made.reason
    assert made.read == {"weather"}


@pytest.mark.parametrize(
    ("check", "said", "saw", "wanted"),
    [
        ("known_names", "- Use `zone` always.", "zone", "city"),
        ("valid_examples", '- Say `{"tool":"weather","arguments":{"city":"x","days":2}}`.', '"days":2', "takes"),
        ("no_former_names", "- Large max_rows time out.", "max_rows", "in force"),
        ("accounted", "- It takes 4711 ms.", "4711", "a lesson"),
        ("accounted", "Nobody needs it.", "Nobody", "a lesson"),
        ("accounted", "- Oslo needs no country code.", "no country", "a lesson"),
        ("accounted", "The weather in a 'city', never.", "never", "The weather in a 'city', now."),
        ("accounted", "| `city` | string | no |  | name \\| code |", "| no |", "| `city` | string | yes |"),
        ("accounted", '| `unit` | "C" or "F" | no | "F" |  |', '| "F" |', '| no | "C" |'),
        ("accounted", "| `days` | string | yes |  |  |", "| string |", "| `days` | integer | yes |"),
    ],
)
def test_each_check_alone_catches_its_fault(check: str, said: str, saw: str, wanted: str) -> None:
    """What another than the last catches is a lesson that the summary really has."""
    found = refusals(context(), f"{GOOD}{said}\n")
    assert list(found) == [check]
    assert saw in found[check].saw
    assert wanted in found[check].wanted


def test_required_named_alone_catches_a_parameter_that_is_not_told_of() -> None:
    row = "| `days` | integer | yes |  |  |\n"
    assert row in GOOD
    found = refusals(context(), GOOD.replace(row, ""))
    assert list(found) == ["required_named"]
    assert found["required_named"].reason == "does not say that weather requires days"


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        ({"question": "Since when?", "must": ["formerly owned"]}, "lacks 'formerly owned' (Since when?)"),
        ({"question": "Where?", "must_not": ["country code"]}, "says 'country code' (Where?)"),
    ],
)
def test_a_stored_check_alone_catches_what_it_asks_for(stored: dict[str, Any], reason: str) -> None:
    found = refusals(context(checks=[stored]), GOOD)
    assert list(found) == ["regression"]
    assert reason in found["regression"].reason
    made = attempt(checked_job(operator(), context(checks=[stored]), (), lambda word: 99))
    assert (made.outcome, made.reason.partition(":")[0]) == (Outcome.REJECTED, "regression")


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        ('    {"tool":"weather","arguments":{"city":"x","days":3,"town":"y"}}', "does not document town"),
        ('    {"tool":"weather","arguments":{"days":3}}', '"city" is a required property'),
        ('    {"tool":"fax","arguments":{}}', "calls fax, which is not in force"),
        ('    {"tool":"clock"}', "is no call of a tool"),
        ('    {"tool":"clock","arguments":{},"more":1}', "is no call of a tool"),
        ("    weather(city='x')", "no JSON object"),
        ("```python\nweather(city='x', days=3)\n```", "no JSON object"),
        ('```\n{"tool":"weather","arguments":{"city":3,"days":3}}\n', "is not of type"),
        ('~~~\n{"tool":"weather",\n "arguments":{"city":"x","days":"3"}}\n~~~', "is not of type"),
        ('Say `{"tool":"weather","arguments":{}}`.', "required property"),
        ('- so:\n\n      {"tool":"fax","arguments":{}}', "calls fax, which is not in force"),
    ],
)
def test_an_example_is_read_from_the_text_in_whatever_way_it_is_shown(example: str, reason: str) -> None:
    found = refusals(context(), f"{GOOD}\n{example}\n")
    assert reason in found["valid_examples"].reason


def test_a_call_of_another_tool_in_force_is_a_valid_example() -> None:
    found = refusals(context(), f'{GOOD}\nFirst `clock`:\n\n    {{"tool":"clock","arguments":{{}}}}\n')
    assert list(found) == ["accounted"]


@pytest.mark.parametrize(
    ("said", "caught"),
    [
        ("Give max_rows.", True),
        ("Give place=x.", True),
        ("The place parameter.", True),
        ("The parameter place.", True),
        ('Set "place".', True),
        ("place: Oslo", True),
        ("A place is asked for.", False),
        ("Every max_rows2 counts.", False),
        ("See place://x.", False),
    ],
)
def test_a_former_parameter_counts_where_it_is_written_as_one(said: str, caught: bool) -> None:
    assert ("no_former_names" in refusals(context(), f"{GOOD}\n{said}\n")) is caught


def test_a_former_name_is_known_from_the_recipe_where_the_old_text_is_not_to_be_had() -> None:
    given = context(previous=None, contracts={"weather": WEATHER}, tools=("weather",))
    assert "no_former_names" not in refusals(given, f"{GOOD}\nGive max_rows.\n")
    recorded = replace(given, recipe={"tool": "weather", "contracts": {"weather": FORMER}})
    assert "no_former_names" in refusals(recorded, f"{GOOD}\nGive max_rows.\n")
    assert "max_rows" not in write_note(recorded)


def test_a_former_name_that_the_contract_in_force_mentions_may_be_mentioned() -> None:
    told = json.loads(json.dumps(WEATHER).replace("name | code", "Formerly max_rows."))
    given = context(contracts={"weather": told})
    assert refusals(given, write_note(given)) == {}
    assert "Large max_rows time out." in write_note(given)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (context(contracts={"clock": CLOCK}), "the tool 'weather' has no contract in force"),
        (context(tools=()), "tools: List should have at least 1 item"),
        (context(style="short"), "style: there is no such field"),
    ],
)
def test_what_cannot_be_written_fails_with_its_reason(given: Context, reason: str) -> None:
    with pytest.raises((BadInput, OperatorError), match=reason):
        write_note(given)


def test_a_name_with_odd_spaces_is_in_force_under_the_one_that_a_note_writes() -> None:
    spaced = {"name": "take  picture", "inputSchema": {"properties": {"of  what": {"type": "string"}}}}
    text = write_note(context(None, {"take  picture": spaced}, ("take  picture",)))
    assert refusals(context(text, {"take  picture": spaced}, ("take  picture",)), text) == {}


def test_a_contract_that_no_documented_value_meets_gets_no_example() -> None:
    odd = {
        "name": "odd",
        "inputSchema": {"properties": {"at": {"type": "string", "pattern": "^[a-z]{9}$"}}, "required": ["at"]},
    }
    text = write_note(context(None, {"odd": odd}, ("odd",)))
    assert "Example call" not in text
    assert "`at`" in text


def test_the_examples_of_three_hundred_drawn_contracts_keep_to_them() -> None:
    draw = random.Random(11)
    shown = 0
    for number in range(300):
        contract = drawn_contract(draw, number)
        text = write_note(context(None, {contract["name"]: contract}, (contract["name"],)))
        for call in blocks_of(text).calls:
            shown += 1
            assert call["tool"] == contract["name"]
            jsonschema.validate(call["arguments"], {**contract["inputSchema"], "additionalProperties": False})
        assert refusals(context(None, {contract["name"]: contract}, (contract["name"],)), text) == {}, text
    assert shown >= 220, "a contract with a pattern has no example, all others have one"


def drawn_contract(draw: random.Random, number: int) -> dict[str, Any]:
    """A contract with parameters of every sort."""
    sorts: list[dict[str, Any]] = [
        {"type": "string"},
        {"type": "string", "maxLength": 2},
        {"type": "string", "minLength": 12},
        {"type": "string", "format": "date"},
        {"type": "string", "examples": ["Oslo `x`"]},
        {"type": "string", "pattern": "^[0-9]+$"},
        {"type": "string", "pattern": "^[A-Z]{3}$"},
        {"type": "integer", "minimum": 17, "multipleOf": 5},
        {"type": "number", "maximum": 0.5, "default": 0.25},
        {"type": "number", "default": "ten"},
        {"type": "boolean"},
        {"enum": ["a", "b"]},
        {"const": 7},
        {"type": ["string", "null"]},
        {"type": "array", "items": {"type": "integer"}, "minItems": 2},
        {"type": "object", "properties": {"deep": {"type": "string"}}, "required": ["deep"]},
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        {},
    ]
    names = draw.sample(["city", "max_rows", "from", "api-key", "q", "pageSize", "rows"], draw.randint(0, 5))
    taken = {name: draw.choice(sorts) for name in names}
    needed = [name for name in names if draw.random() < 0.6]
    return {"name": f"Tool {number}/get", "inputSchema": {"type": "object", "properties": taken, "required": needed}}


def test_the_operator_is_registered_with_its_checks() -> None:
    found = operator()
    assert (found.mode, found.previous, found.kinds, found.lacks) == (Mode.REGEN, True, (Arch.PROMPT,), "")
    assert len(found.validators) == 5
    assert found.estimate(context()) > 100
