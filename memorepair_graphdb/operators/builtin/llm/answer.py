"""Reads a model's answer as typed JSON.

The JSON may stand in prose or in a fence; an answer of another form is no answer, and nothing in it is mended.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .chat import Answer

OPENINGS = 100
"""braces at which an object may begin that are tried: a text that is all braces is no answer"""
_DECODER = json.JSONDecoder()


class Typed(BaseModel):
    """Is a form that an answer may have."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Sentence(Typed):
    """Is a sentence, with the labels of the sources that say it."""

    text: str = Field(min_length=1)
    sources: list[str] = Field(min_length=1)


class Summary(Typed):
    """Is what a writer is asked for."""

    sentences: list[Sentence]


class Judgement(Typed):
    """Is what a judge is asked for."""

    supported: bool


Form = TypeVar("Form", bound=Typed)


def summary_schema(labels: Sequence[str], sentences: int) -> dict[str, Any]:
    """Return the JSON Schema of a `Summary` of so many sentences at most, on these sources."""
    schema = Summary.model_json_schema()
    schema["properties"]["sentences"]["maxItems"] = sentences
    sources = schema["$defs"]["Sentence"]["properties"]["sources"]
    sources["items"]["enum"] = list(labels)
    sources["maxItems"] = len(labels)
    return schema


def read(form: type[Form], answer: Answer) -> Form:
    """Return the answer as its form: the whole text, or the one object of that form that stands in it.

    A polite opening, a fence, or a word after it are passed over. Raises `Passing` for all else, since another try may
    do, and `OperatorError` where the same question gets the same answer.
    """
    try:
        return form.model_validate_json(answer.text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
    objects = list(_objects(answer.text))
    fitting = [fit for text in objects if (fit := _as_form(form, text)) is not None]
    if fitting and all(fit == fitting[0] for fit in fitting):
        return fitting[0]
    if fitting:
        raise answer.fault(f"the model's answer holds {len(fitting)} of {form.__name__}: which one is meant?")
    if len(objects) == 1:
        first = _first_error(form, objects[0])
    place = ".".join(map(str, first["loc"])) or "$"
    raise answer.fault(f"the model's answer is no {form.__name__}: {place}: {first['msg'][:120]}")


def _objects(text: str) -> Iterator[str]:
    """Yield the JSON objects that stand in a text, none inside another."""
    at = text.find("{")
    for _ in range(OPENINGS):
        if at < 0:
            return
        try:
            _, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
        else:
            yield text[at:end]
            at = text.find("{", end)


def _as_form(form: type[Form], text: str) -> Form | None:
    try:
        return form.model_validate_json(text)
    except ValidationError:
        return None


def _first_error(form: type[Form], text: str) -> Any:
    try:
        form.model_validate_json(text)
    except ValidationError as error:
        return error.errors(include_url=False, include_input=False)[0]
    raise AssertionError("the text is of the form")
