"""Recognises errors that are told as text: which of them can pass, and which answers are none.

A tool that tells its error as an ordinary text gives an answer like any other. Where no output schema says what an
answer is, a text that reads like an error is taken for one; a recipe's `schema` says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ....errors import OperatorError, Passing
from ...protocol.verdict import quoted

_TRANSIENT = re.compile(
    r"\btime[ds]?[ -]?out\b|\btemporar(?:y|ily)\b|\btry(?:ing)? (?:it )?(?:again|later)\b|\bretry\b|\brate[ -]?limit"
    r"|\btoo many requests\b|\boverload|\bunavailable\b|\bbusy\b|\bconnection (?:was )?(?:reset|refused|closed|aborted)"
    r"|\bbad gateway\b|\binternal server error\b|\b(?:status|code|http|error)\W{0,3}(?:408|425|429|50[0234])\b",
    re.IGNORECASE,
)
_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_STATUS = (
    r"bad request|unauthori[sz]ed|forbidden|(?:page |resource )?not found|method not allowed|request time-?out"
    r"|too many requests|rate limit exceeded|internal server error|not implemented|bad gateway"
    r"|service (?:temporarily )?unavailable|gateway time-?out|access denied|permission denied|timed? ?out"
)
_ERROR_WORD = (
    r"error|fehler|erreur|errore|erro|fel|feil|fejl|fout|virhe"
    r"|błąd|chyba|hata|ошибка|помилка|エラー|错误|錯誤|오류"
)
_ERROR = re.compile(
    # "Error 500", "Internal server error:", "An error occurred while …", "error"
    rf"(?:(?:an?|the|internal|server|fatal|unexpected|unknown|http|api|request|tool|runtime|network|database|system)\s+)*"
    rf"(?:{_ERROR_WORD})(?:\s*[:!(\[]|\s+[—–-]|\s*(?:code\s*)?\W?\d{{3}}\b|\s*$"
    r"|\s+(?:while|when|occurred|executing|calling|fetching|getting|reading|processing|running|connecting)\b)"
    # "ValueError: …", "Traceback (most recent call last)"
    r"|(?:[\w.]+(?:Error|Exception)|(?:uncaught |unhandled )?exception)\s*[:(]|traceback \(most recent call last\)"
    # "HTTP/1.1 502 Bad Gateway", "404 Not Found", "Forbidden"
    rf"|(?:http(?:/\d(?:\.\d)?)?\s*)?(?:status(?: code)?\W*)?[45]\d\d\W+(?:{_STATUS}|conflict|gone)\b|(?:{_STATUS})\W*$"
    r"|http(?:/\d(?:\.\d)?)?\s*(?:status(?: code)?\W*)?[45]\d\d\b"
    r"|(?:failed|unable) to\b|(?:could not|couldn't|cannot) (?:connect|fetch|find|reach|load|retrieve)",
    re.IGNORECASE,
)
_ERROR_FIELDS = ("error", "errors", "exception", "traceback")


def failure(text: str) -> OperatorError:
    """Return the error to raise for what a tool says when it fails: a `Passing` where another try may do."""
    return Passing(text) if _TRANSIENT.search(text) else OperatorError(text)


def raise_if_suspicious(tool: str, answer: Any, contract: Mapping[str, Any], recipe_schema: Any) -> None:
    """Raise `OperatorError` for an answer that reads like an error, where no schema says what an answer is.

    `answer` is the tool's, as JSON. A text that can pass, such as "Error 503", is a `Passing`.
    """
    if recipe_schema is not None or _says_what_an_answer_is(contract.get("outputSchema")):
        return
    if text := error_in(answer):
        raise failure(
            f"response: what {tool} answers is suspicious and not kept: it reads like an error, and no output schema "
            f"or `schema` of the recipe says that it is none: {quoted(text)}"
        )


def error_in(answer: Any) -> str:
    """Return the text of an answer that reads like an error, "" where none does."""
    if isinstance(answer, str):
        text = answer.strip()
        return text if _PAGE.match(text) or _ERROR.match(text) else ""
    if isinstance(answer, list):
        return next((text for item in answer if isinstance(item, str) and (text := error_in(item))), "")
    return _error_in_object(answer) if isinstance(answer, dict) else ""


def _error_in_object(answer: Mapping[str, Any]) -> str:
    fields = {str(name).casefold(): value for name, value in answer.items()}
    for name in _ERROR_FIELDS:
        value = fields.get(name)
        if value is True or (isinstance(value, str | dict | list) and value):
            return f"{name}: {fields.get('message', value)}"
    failed = fields.get("iserror") is True or fields.get("success") is False or fields.get("ok") is False
    code = fields.get("statuscode", fields.get("status_code", fields.get("status", fields.get("code"))))
    refused = isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 and "message" in fields
    if failed or refused or (isinstance(code, str) and code.casefold() in ("error", "failed", "failure")):
        return str(fields.get("message", dict(answer)))
    return error_in(answer["result"]) if answer.keys() == {"result"} else ""


def _says_what_an_answer_is(schema: Any) -> bool:
    """Return whether an output schema says more than that the answer is some text, by itself or in one field."""
    if not isinstance(schema, Mapping) or not schema:
        return False
    fields = schema.get("properties")
    if isinstance(fields, Mapping) and fields.keys() == {"result"}:  # what servers make of a function that gives text
        return _says_what_an_answer_is(fields["result"])
    return bool(schema.keys() - {"type", "title", "description"}) or schema.get("type") != "string"
