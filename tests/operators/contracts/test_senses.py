"""A rename is believed where type and sense stay: unit, base, direction, and what kind of thing a value names."""

from __future__ import annotations

from typing import Any

import pytest

from memorepair_graphdb.operators.contracts.diff import parameter_changes
from memorepair_graphdb.operators.contracts.renames import renames
from memorepair_graphdb.operators.contracts.spelling import words_of

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}
FLAG: dict[str, Any] = {"type": "boolean"}


def says(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description}


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("q", "query", TEXT, says(TEXT, "Replaces `q`.")),
        ("q", "query", TEXT, says(TEXT, "What to look for. Replaces `q`.")),
        ("q", "query", TEXT, says(TEXT, "What to look for (previously called 'q').")),
        ("q", "query", TEXT, says(TEXT, "Renamed from the old parameter q")),
        ("q", "query", TEXT, {**TEXT, "x-replaces": "q"}),
        ("q", "query", TEXT, {**TEXT, "x-renamed-from": ["s", "q"]}),
        ("place", "places", TEXT, {"type": "array", "items": TEXT, "x-replaces": "place"}),
        ("timeoutMs", "timeout", WHOLE, says(WHOLE, "Milliseconds to wait. Formerly `timeoutMs`.")),
        (
            "from_year",
            "from_year_v2",
            says(WHOLE, "First year."),
            says({**WHOLE, "x-replaces": "from_year"}, "First year."),
        ),
        ("+1", "+1", FLAG, FLAG),
        ("favouriteColour", "favorite_color", TEXT, TEXT),
        ("issue", "issues", TEXT, TEXT),
    ],
)
def test_what_the_contract_says_to_be_one_is_believed(before: str, after: str, old: Any, new: Any) -> None:
    assert renames({before: old}, {after: new}) == ({before: after} if before != after else {})


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("verbose", "quiet", FLAG, says(FLAG, "Replaces `verbose`.")),
        ("include_diff", "without_diff", FLAG, says(FLAG, "Set to true for no diff. Replaces `include_diff`.")),
        ("draft", "ready", FLAG, says(FLAG, "Replaces `draft`: the opposite of it.")),
        ("draft", "ready", FLAG, says(FLAG, "Formerly `draft`. The meaning is inverted.")),
        ("draft", "ready", {**FLAG, "default": False}, says({**FLAG, "default": True}, "Replaces `draft`.")),
        ("q", "query", TEXT, says(TEXT, "This text replaces `q` only in version 2.")),
        ("q", "query", TEXT, says(TEXT, "Does not replace `q`.")),
        ("q", "text", TEXT, says(TEXT, "The text that replaces `q` in the file.")),
        ("q", "query", TEXT, says(TEXT, "Replaces `Q`.")),
        ("draft", "ready", FLAG, {**says(FLAG, "Not a draft."), "x-replaces": "draft"}),
        ("page", "cursor", TEXT, says(TEXT, "Replaces `page`.")),
        ("page", "cursor", WHOLE, {**TEXT, "x-replaces": "page"}),
        ("version", "number", TEXT, says(WHOLE, "Replaces `version`.")),
        ("page", "start_page", WHOLE, says(WHOLE, "Counted from 0. Replaces `page`.")),
        ("page", "page_index", says(WHOLE, "1-based"), says(WHOLE, "The zero-based page. Replaces `page`.")),
        ("timeout", "timeout_ms", WHOLE, {**WHOLE, "x-renamed-from": "timeout"}),
        ("timeoutSeconds", "timeout", WHOLE, says(WHOLE, "Milliseconds. Formerly `timeoutSeconds`.")),
        ("min_price", "max_price", WHOLE, {**WHOLE, "x-renamed-from": "min_price"}),
        ("user_name", "user_id", TEXT, says(TEXT, "Replaces `user_name`.")),
        ("StartTime<", "StartTime>", TEXT, TEXT),
        ("+1", "-1", WHOLE, WHOLE),
        ("a+b", "a_b", TEXT, TEXT),
        ("interstate", "intrastate", TEXT, TEXT),
        ("interstate", "intrastate", says(TEXT, "Calls."), says(TEXT, "Calls.")),
        ("authorized_representative", "unauthorized_representative", TEXT, TEXT),
        ("recieve_mail", "receive_mail", TEXT, TEXT),
        ("l", "L", FLAG, FLAG),
        ("day", "days", WHOLE, WHOLE),
        ("page_size", "pageSize", says(WHOLE, "In kilobytes."), says(WHOLE, "In bytes.")),
        ("PageIndex", "page_index", says(WHOLE, "Starts at 0."), says(WHOLE, "Starts at 1.")),
    ],
)
def test_another_type_unit_base_direction_or_kind_is_no_rename(before: str, after: str, old: Any, new: Any) -> None:
    assert renames({before: old}, {after: new}) == {}


def test_marks_are_letters_and_dashes_between_words_are_none() -> None:
    assert words_of("StartTime<") == ("start", "time", "<")
    assert words_of("-1") == ("-", "1")
    assert words_of("+1") == ("+", "1")
    assert words_of("x-api-key") == words_of("xApiKey") == words_of("x_api_key") == ("x", "api", "key")


def changed(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [str(one) for one in parameter_changes({"properties": old}, {"properties": new})]


def test_two_parameters_that_swapped_their_descriptions_mean_something_else() -> None:
    old = {"from": says(TEXT, "Where it starts."), "to": says(TEXT, "Where it ends.")}
    new = {"from": says(TEXT, "Where it ends."), "to": says(TEXT, "Where it starts.")}
    assert changed(old, new) == [
        "parameter from means something else (it is described as to was)",
        "parameter to means something else (it is described as from was)",
    ]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("page", says(WHOLE, "1-based page."), says(WHOLE, "0-based page.")),
        ("line", {**WHOLE, "minimum": 0}, {**WHOLE, "minimum": 1}),
        ("archived", says(FLAG, "Include what is archived."), says(FLAG, "Exclude what is archived.")),
        (
            "external",
            says({**FLAG, "default": False}, "Whether to follow links."),
            says({**FLAG, "default": True}, "Whether to return links."),
        ),
    ],
)
def test_a_parameter_that_kept_its_name_may_mean_something_else(name: str, old: Any, new: Any) -> None:
    assert any("means something else" in one for one in changed({name: old}, {name: new}))


def test_a_description_that_says_the_same_in_more_words_is_no_change() -> None:
    old, new = says(WHOLE, "Page number."), says(WHOLE, "Page number for pagination, in the list that does not end.")
    assert changed({"page": old}, {"page": new}) == []
