"""A contract's changes are named one by one, and a chain is rewritten by them, the rest byte for byte."""

from __future__ import annotations

from typing import Any

import pytest
from jsonsubschema import isSubschema

from memorepair_graphdb.operators.builtin.chain.rewriting import rewrite
from memorepair_graphdb.operators.builtin.chain.tool_host import ChainFailed
from memorepair_graphdb.operators.contracts.compatibility import gives, takes
from memorepair_graphdb.operators.contracts.diff import differences
from memorepair_graphdb.operators.contracts.renames import renames

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}
FIGURE: dict[str, Any] = {"type": "number"}


def contract(parameters: dict[str, Any], fields: dict[str, Any], needed: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "name": "weather",
        "inputSchema": {"type": "object", "properties": parameters, "required": list(needed)},
        "outputSchema": {"type": "object", "properties": fields, "required": list(fields)},
    }


def changed(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [str(change) for change in differences(old, new)]


def rewritten(source: str, old: dict[str, Any], new: dict[str, Any], **for_show: Any) -> str:
    return rewrite(source, {"weather": old}, {"weather": new}, {"weather": "weather"}, for_show)


def test_every_change_has_its_name() -> None:
    rows = {"type": "array", "items": {"type": "object", "properties": {"rainMm": FIGURE}, "required": ["rainMm"]}}
    more = {"type": "object", "properties": {"rain_mm": FIGURE, "snow": FIGURE}, "required": ["rain_mm"]}
    old = contract(
        {"cityName": TEXT, "days": WHOLE, "unit": {**TEXT, "default": "C"}, "page": WHOLE, "mode": TEXT, "old": TEXT},
        {"temp": FIGURE, "wind": FIGURE, "hours": rows, "sky": TEXT},
        ("cityName",),
    )
    new = contract(
        {"city_name": TEXT, "days": TEXT, "unit": {**TEXT, "default": "F"}, "page": FIGURE, "mode": WHOLE, "key": TEXT},
        {"temp": TEXT, "hours": {"type": "array", "items": more}, "sky": {**TEXT, "enum": ["grey"]}},
        ("city_name", "key"),
    )
    assert changed(old, new) == [
        "parameter cityName renamed (city_name)",
        "parameter days convertible (str)",
        "parameter unit default changed",
        "parameter page takes more",
        "parameter mode changed",
        "parameter old removed",
        "parameter key added and required",
        "field temp changed",
        "field wind removed",
        "field hours[].rainMm renamed (rain_mm)",
        "field hours[].snow added",
        "field sky says less",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ach_debit", "bacs_debit"),
        ("business_name", "business_type"),
        ("address_line1", "address_line2"),
        ("include_archived_shipping_items", "exclude_archived_shipping_items"),
        ("authorized_account_representative", "unauthorized_account_representative"),
        ("minimum_shipping_amount_total", "maximum_shipping_amount_total"),
        ("created_after", "created_before"),
    ],
)
def test_names_that_are_alike_are_no_rename(before: str, after: str) -> None:
    assert renames({before: TEXT}, {after: TEXT}) == {}
    source = f"def chain(x):\n    return weather({before}=x)['{before}']\n"
    with pytest.raises(ChainFailed, match="removed"):
        rewritten(source, contract({before: TEXT}, {before: TEXT}), contract({after: TEXT}, {after: TEXT}))


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("cityName", "city_name", TEXT, TEXT),
        ("city-name", "CityName", TEXT, {**TEXT, "description": "now described"}),
        ("colour", "color", TEXT, TEXT),
        ("product", "products", TEXT, TEXT),
        ("q", "query", TEXT, {**TEXT, "x-renamed-from": "q"}),
        ("q", "query", TEXT, {**TEXT, "description": "What to look for (formerly `q`)."}),
    ],
)
def test_another_spelling_and_what_is_said_to_be_one_is_a_rename(before: str, after: str, old: Any, new: Any) -> None:
    assert renames({before: old}, {after: new}) == {before: after}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"cityName": TEXT}, {"city_name": WHOLE}),
        ({"cityName": TEXT}, {"city_name": TEXT, "CityName": TEXT}),
        ({"cityName": TEXT, "city-name": TEXT}, {"city_name": TEXT}),
        ({"cityName": {**TEXT, "in": "query"}}, {"city_name": {**TEXT, "in": "header"}}),
        ({"q": TEXT}, {"query": {**TEXT, "description": "formerly `q2`"}}),
        ({"favourites": {**TEXT, "description": "of mine"}}, {"favorites": {**TEXT, "description": "of others"}}),
    ],
)
def test_another_type_place_or_meaning_or_a_second_candidate_is_no_rename(old: Any, new: Any) -> None:
    assert renames(old, new) == {}


OLD = contract(
    {
        "cityName": TEXT,
        "days": WHOLE,
        "unit": {**TEXT, "default": "C"},
        "verbose": {"type": "boolean", "default": False},
    },
    {"tempNow": FIGURE, "hours": {"type": "array", "items": {"type": "object", "properties": {"rainMm": FIGURE}}}},
)
NEW = contract(
    {"city_name": TEXT, "days": TEXT, "unit": {**TEXT, "default": "F"}, "key": {**TEXT, "default": "k"}},
    {"temp_now": FIGURE, "hours": {"type": "array", "items": {"type": "object", "properties": {"rain-mm": FIGURE}}}},
    ("key",),
)


def test_calls_and_fields_are_rewritten_and_the_rest_stays_byte_for_byte() -> None:
    source = (
        "# « Wetter »\r\ndef chain(city, n):\n"
        "    é = 'ü'; w = weather(cityName = city , days=(n + 1), verbose=False)  # keep\n"
        "    out = [h[\"rainMm\"] for h in w['hours']]\n"
        "    return {'tempNow': w['tempNow'], 'r': out,  'é': é}\n"
    )
    assert rewritten(source, OLD, NEW) == (
        "# « Wetter »\r\ndef chain(city, n):\n"
        "    é = 'ü'; w = weather(city_name = city , days=(str(n + 1)), unit='C', key='k')  # keep\n"
        "    out = [h[\"rain-mm\"] for h in w['hours']]\n"
        "    return {'tempNow': w['temp_now'], 'r': out,  'é': é}\n"
    )


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("weather(verbose=False)", "weather(unit='C', key='k')"),
        ("weather(unit='C', verbose=False,)", "weather(unit='C', key='k',)"),
        ("weather(verbose=False, unit='F')", "weather(unit='F', key='k')"),
        ("weather(**{'cityName': x, 'verbose': False})", "weather(**{'city_name': x}, unit='C', key='k')"),
        ("weather(**{'verbose': False})", "weather(**{}, unit='C', key='k')"),
        ("weather(days=3 if x else 4)", "weather(days=str(3 if x else 4), unit='C', key='k')"),
    ],
)
def test_an_argument_goes_with_its_comma_and_others_come_last(call: str, expected: str) -> None:
    start = "def chain(x):\n    return len("
    assert rewritten(f"{start}{call}['hours'])\n", OLD, NEW) == f"{start}{expected}['hours'])\n"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "return weather(verbose=True)['tempNow']",
            "line 2: weather: parameter verbose removed, and the chain gives it",
        ),
        ("return weather(cityName=x)", "field tempNow renamed"),
        ("return dict(weather(cityName=x)['hours'][0])", "renamed"),
        ("w = weather(cityName=x)\n    for k in w:\n        x = k\n    return x", "and the chain reads it"),
        (
            "w = weather(cityName=x)\n    w = w['hours'][0] if x else w\n    return w['rainMm']",
            "and the chain reads it",
        ),
        ("return weather(**x)['tempNow']", "which arguments the chain gives cannot be read"),
        ("call = weather\n    return call(cityName=x)", "it is called, not passed on"),
        ("return eval('weather')(cityName=x)", "eval hides which tools are called"),
        ("def weather(cityName):\n        return {}\n    return weather(cityName=x)", "is a tool, and redefined"),
        ("str = int\n    return weather(days=x)['tempNow']", "a str of its own"),
    ],
)
def test_what_is_not_certain_is_refused_with_its_reason(body: str, reason: str) -> None:
    with pytest.raises(ChainFailed, match=reason):
        rewritten(f"def chain(x):\n    {body}\n", OLD, NEW)


def test_what_is_inserted_at_one_place_closes_the_value_before_the_next_argument_comes() -> None:
    old = contract({"place": TEXT}, {"a": TEXT})
    items = {"type": "array", "items": TEXT, "x-renamed-from": "place"}
    new = contract({"of-place": items, "key": {**TEXT, "default": "k"}}, {"a": TEXT}, ("key",))
    made = rewritten("def chain(x):\n    return weather(place=x)['a']\n", old, new)
    assert made == "def chain(x):\n    return weather(**{'of-place': [x]}, key='k')['a']\n"


def test_a_value_is_never_invented() -> None:
    new = contract({"q": TEXT, "key": TEXT}, {"a": TEXT}, ("q", "key"))
    with pytest.raises(ChainFailed, match="key added and required, and no value for it is documented"):
        rewritten("def chain():\n    return weather(q='x')['a']\n", contract({"q": TEXT}, {"a": TEXT}), new)


def test_a_response_that_is_documented_for_the_first_time_must_have_what_the_chain_reads() -> None:
    source = "def chain(x):\n    w = weather(q=x)\n    return [w.get('a'), w['b'][0]]\n"
    silent = {"name": "weather", "inputSchema": {"type": "object", "properties": {"q": TEXT}}}
    rows = {"type": "array", "items": TEXT}
    assert rewritten(source, silent, contract({"q": TEXT}, {"a": TEXT, "b": rows})) == source
    with pytest.raises(ChainFailed, match="field a is not documented, and the chain reads it"):
        rewritten(source, silent, contract({"q": TEXT}, {"A": TEXT, "b": rows}))


def test_what_is_only_for_show_may_go() -> None:
    old, new = contract({"q": TEXT, "indent": WHOLE}, {"a": TEXT}), contract({"q": TEXT}, {"a": TEXT})
    source = "def chain(x):\n    return weather(q='x', indent=x)['a']\n"
    with pytest.raises(ChainFailed, match="indent removed"):
        rewritten(source, old, new)
    assert rewritten(source, old, new, weather=["indent"]) == "def chain(x):\n    return weather(q='x')['a']\n"


def test_a_unit_that_is_said_differently_is_another_meaning() -> None:
    old = contract({"sum": {**WHOLE, "description": "In cents."}}, {"fee": {**WHOLE, "description": "cents"}})
    new = contract({"sum": {**WHOLE, "description": "In dollars."}}, {"fee": {**WHOLE, "description": "cents"}})
    with pytest.raises(ChainFailed, match="parameter sum unit changed"):
        rewritten("def chain(x):\n    return weather(sum=x)['fee']\n", old, new)


def test_a_tool_that_is_gone_is_refused_and_one_that_is_replaced_is_called_by_its_new_name() -> None:
    source = "def chain(x):\n    return weather(q=x)['a']\n"
    old = {"weather": contract({"q": TEXT}, {"a": TEXT})}
    with pytest.raises(ChainFailed, match="not in force any more"):
        rewrite(source, old, {}, {}, {})
    new = {"weather.v2": old["weather"]}
    made = rewrite(source, old, new, {"weather": "weather.v2"}, {})
    assert made == "def chain(x):\n    return weather_v2(q=x)['a']\n"


SCHEMAS: list[dict[str, Any]] = [
    TEXT,
    WHOLE,
    FIGURE,
    {"type": "boolean"},
    {"type": ["string", "null"]},
    {"enum": ["a", "b"]},
    {"type": "string", "enum": ["a"]},
    {"type": "string", "maxLength": 3},
    {"type": "integer", "minimum": 2},
    {"type": "array", "items": TEXT},
    {"type": "array", "items": {"type": "string", "enum": ["a"]}},
    {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
    {"type": "object", "properties": {"a": TEXT}},
]


def test_a_schema_never_stands_for_another_where_the_oracle_says_it_does_not() -> None:
    """jsonsubschema agrees: `takes` is "old is a subset of new", `gives` its converse; a no may be caution."""
    wrong = [
        (old, new)
        for old in SCHEMAS
        for new in SCHEMAS
        if (takes(old, new) and not isSubschema(old, new)) or (gives(old, new) and not isSubschema(new, old))
    ]
    assert wrong == []
    assert sum(takes(old, new) for old in SCHEMAS for new in SCHEMAS) > len(SCHEMAS) + 5
