"""What a model may answer, as types.

An answer of another form is no answer; nothing in it is mended.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ....errors import Passing
from .chat import Answer

_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", re.DOTALL)


class Typed(BaseModel):
    """A form that an answer may have."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Sentence(Typed):
    """A sentence, and the labels of the sources that say it."""

    text: str = Field(min_length=1)
    sources: list[str] = Field(min_length=1)


class Summary(Typed):
    """What is asked of a writer."""

    sentences: list[Sentence]


class Judgement(Typed):
    """What is asked of a judge."""

    supported: bool


Form = TypeVar("Form", bound=Typed)


def summary_schema(labels: Sequence[str], sentences: int) -> dict[str, Any]:
    """The JSON Schema of a `Summary` of so many sentences at most, on these sources."""
    schema = Summary.model_json_schema()
    schema["properties"]["sentences"]["maxItems"] = sentences
    sources = schema["$defs"]["Sentence"]["properties"]["sources"]
    sources["items"]["enum"] = list(labels)
    sources["maxItems"] = len(labels)
    return schema


def read(form: type[Form], answer: Answer) -> Form:
    """The answer as its form, bare or in a fence of its own; raises `Passing` for all else: another try may do."""
    text = answer.text
    fenced = _FENCED.fullmatch(text)
    try:
        return form.model_validate_json(fenced[1] if fenced else text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "$"
        said = f"the model's answer is no {form.__name__}: {place}: {first['msg'][:120]}"
        raise Passing(said, spent=answer.spent) from None
