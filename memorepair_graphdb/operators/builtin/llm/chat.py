"""One question to a model over the chat-completions protocol, one answer.

Nothing is tried again here; what another try may mend is `Passing`, all else is `BadInput`.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any, NamedTuple

from ....errors import BadInput, OperatorError, Passing
from .endpoint import Endpoint

_log = logging.getLogger(__name__)

DISPENSABLE = ("response_format", "max_tokens", "temperature")
"""What a server may not know; it is asked without those that it refuses by name, else without the first."""
UNKNOWN = (400, 422)
"""Statuses with which servers refuse a parameter."""
MEANT_TO_PASS = (408, 409, 425, 429)
"""Statuses below 500 that ask for another try."""
QUOTED = 200
"""characters of a server's own words that an error keeps"""


class ChatRequest(NamedTuple):
    """What a model is asked."""

    system: str
    user: str
    name: str
    """of the form that the answer shall have"""
    schema: dict[str, Any]
    """of the answer"""
    tokens: int
    """that the answer may have"""
    model: str = ""
    """"": the endpoint's"""
    temperature: float = 0.0


class Answer(NamedTuple):
    """What it said."""

    text: str
    tokens: float | None
    """read and written, as the server counts them; None where it does not"""

    @property
    def spent(self) -> float:
        """The tokens; 0 where nobody counted them."""
        return self.tokens or 0.0


def ask(endpoint: Endpoint, question: ChatRequest) -> Answer:
    """Ask once; raises `Passing` or `BadInput`: down, late, overloaded, refused, cut off, or not in the protocol."""
    import openai

    model = question.model or endpoint.model
    if not model:
        raise BadInput("which model? MEMOREPAIR_LLM, or the recipe's model, names it")
    try:
        return _answer(_completion(endpoint, model, question))
    except openai.APITimeoutError:
        raise Passing(f"the model gave no answer within {endpoint.timeout:g} s") from None
    except openai.APIConnectionError as error:
        raise Passing(f"the model's endpoint cannot be reached: {_words(error.__cause__ or error)}") from None
    except openai.APIStatusError as error:
        said = f"the model's endpoint answered {error.status_code}: {_words(error)}"
        if error.status_code >= 500 or error.status_code in MEANT_TO_PASS:
            raise Passing(said) from None
        raise OperatorError(said) from None
    except openai.OpenAIError as error:
        raise Passing(f"the model's endpoint does not keep to the protocol: {_words(error)}") from None


def _completion(endpoint: Endpoint, model: str, question: ChatRequest) -> Any:
    """The completion; asked again, of the same server, without what it says it does not know."""
    import openai

    client, refused = _client(endpoint)
    messages = [{"role": "system", "content": question.system}, {"role": "user", "content": question.user}]
    options = {name: value for name, value in _options(question).items() if name not in refused}
    dropped: set[str] = set()
    while True:
        try:
            completion = client.chat.completions.create(model=model, messages=messages, **options)
        except openai.APIStatusError as error:
            unknown = _unknown(error, options)
            if unknown is None:
                raise
            _log.info("%s answers %d; asked without %s", endpoint.base_url, error.status_code, unknown)
            options.pop(unknown)
            dropped.add(unknown)
        except ValueError:
            raise Passing("the model's endpoint does not keep to the protocol: its answer is no JSON") from None
        else:
            refused |= dropped
            return completion


def _options(question: ChatRequest) -> dict[str, Any]:
    form = {"name": question.name, "strict": True, "schema": question.schema}
    return {
        "response_format": {"type": "json_schema", "json_schema": form},
        "max_tokens": question.tokens,
        "temperature": question.temperature,
    }


def _unknown(error: Any, options: dict[str, Any]) -> str | None:
    """The option that a server refuses: the one it names, else the form of the answer, the least known; None: none."""
    if error.status_code not in UNKNOWN:
        return None
    said = str(error)
    named = (name for name in DISPENSABLE if name in options and name in said)
    return next(named, "response_format" if "response_format" in options else None)


def _answer(completion: Any) -> Answer:
    try:
        choice = completion.choices[0]
        text, refusal, finish = choice.message.content, choice.message.refusal, choice.finish_reason
    except (AttributeError, IndexError, TypeError):
        raise Passing("the model's endpoint does not keep to the protocol: there is no message in its answer") from None
    tokens = _tokens(completion)
    spent = tokens or 0.0
    if refusal or finish == "content_filter":
        raise OperatorError(f"the model refused: {_words(refusal or 'its answer was filtered')}", spent=spent)
    if finish == "length":
        raise Passing("the model's answer was cut off at its length", spent=spent)
    if not isinstance(text, str):
        raise Passing("the model's answer holds no text", spent=spent)
    return Answer(text, tokens)


def _tokens(completion: Any) -> float | None:
    tokens = getattr(completion.usage, "total_tokens", None)
    return float(tokens) if isinstance(tokens, int) and tokens >= 0 else None


@lru_cache(maxsize=8)
def _client(endpoint: Endpoint) -> tuple[Any, set[str]]:
    """The client of an endpoint, and the options that it has refused."""
    from openai import DefaultHttpxClient, OpenAI

    key = endpoint.api_key.get_secret_value()
    here = DefaultHttpxClient(trust_env=False) if endpoint.on_this_machine else None  # not by way of a proxy
    client = OpenAI(base_url=endpoint.base_url, api_key=key, timeout=endpoint.timeout, max_retries=0, http_client=here)
    return client, set()


def _words(said: object) -> str:
    text = " ".join(str(said).split()) or type(said).__name__
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"
