"""Which answers read like errors, judged by hand: texts and objects as real tools give them, and what is none."""

from __future__ import annotations

from typing import Any

import pytest

from memorepair_graphdb.errors import OperatorError, Passing
from memorepair_graphdb.operators.builtin.tool_call.error_texts import error_in, failure, raise_if_suspicious

ERRORS: list[Any] = [
    "Error 500",
    "error",
    "Error: Request failed with status code 404",
    "Error executing tool get_weather: 'city'",
    "Internal Server Error",
    "An error occurred while fetching the page",
    "500 Internal Server Error",
    "HTTP/1.1 502 Bad Gateway",
    "404 Not Found",
    "Forbidden",
    "Error - no such city",
    "410 Gone",
    "Traceback (most recent call last):\n  File ...",
    "ValueError: invalid literal for int()",
    "requests.exceptions.ConnectionError: Max retries exceeded",
    "Failed to fetch https://example.org/",
    "Unable to reach the server.",
    "Rate limit exceeded.",
    "Fehler 503",
    "错误: 无法连接",
    "  <!doctype html><html><body>Sign in</body></html>",
    "<html><head><title>502 Bad Gateway</title></head></html>",
    ["Error 500"],
    {"error": "no such city"},
    {"errors": [{"message": "no such city"}], "data": None},
    {"status": "error", "message": "no such city"},
    {"statusCode": 500, "message": "oops"},
    {"success": False},
    {"result": "Error 500"},
]
ANSWERS: list[Any] = [
    "12 degrees",
    "Error rates fell in May.",
    "Margin of error: 3 %",
    "No error was found.",
    "There were 404 visitors.",
    "The error log is empty.",
    "500 items found",
    "Failed states of the world: a list",
    "Feldberg",
    "Error-prone words",
    "Conflict",
    "Gone",
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "Not found in the wild since 1932, the bird …",
    "Errors and how to read them",
    "",
    5,
    None,
    [1, 2],
    {"error": None, "data": 3},
    {"error": 0.02, "mean": 3.1},
    {"errors": []},
    {"status": "delivered", "message": "left at the door"},
    {"status": 200, "message": "fine"},
    {"code": 404, "city": "Oslo"},
    {"result": "12 degrees"},
]


@pytest.mark.parametrize("answer", ERRORS, ids=repr)
def test_an_answer_that_reads_like_an_error_is_seen(answer: Any) -> None:
    assert error_in(answer)


@pytest.mark.parametrize("answer", ANSWERS, ids=repr)
def test_an_ordinary_answer_is_none(answer: Any) -> None:
    assert error_in(answer) == ""


def test_a_schema_that_says_what_an_answer_is_is_believed_and_one_that_only_says_text_is_not() -> None:
    text: dict[str, Any] = {"type": "string"}
    wrapped: dict[str, Any] = {"type": "object", "properties": {"result": {"type": "string"}}}
    for schema in (None, {}, text, wrapped, {**text, "title": "Out"}):
        with pytest.raises(OperatorError, match="suspicious"):
            raise_if_suspicious("look", "Error 404", {"outputSchema": schema}, None)
    for schema in ({"enum": ["Error 404"]}, {"type": "string", "maxLength": 9}, {"type": ["string", "null"]}):
        raise_if_suspicious("look", "Error 404", {"outputSchema": schema}, None)
    raise_if_suspicious("look", "Error 404", {}, {"type": "string"})
    raise_if_suspicious("look", "12 degrees", {}, None)


def test_what_can_pass_is_told_apart_from_what_stays() -> None:
    for text in ("Error 503", "timed out", "Too Many Requests", "connection refused", "Please try again later"):
        assert isinstance(failure(text), Passing), text
    for text in ("no such city", "Error 404", "invalid arguments", "the file is gone"):
        assert not isinstance(failure(text), Passing), text
