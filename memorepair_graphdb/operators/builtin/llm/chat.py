"""Asks a model one question over the chat-completions protocol, and reads its answer.

Nothing is asked again here. What another try may mend is `Passing`. What cannot change is `OperatorError`: a refusal,
an answer that was cut off, a redirect, and at temperature 0 an answer of another form.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from ....errors import BadInput, OperatorError, Passing
from ...protocol.context import CHARACTERS_PER_TOKEN
from .endpoint import Endpoint

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")

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

    @property
    def read(self) -> float:
        """The tokens that a model reads of it, by its characters: what a call costs whose answer is lost."""
        return (len(self.system) + len(self.user)) / CHARACTERS_PER_TOKEN


class Answer(NamedTuple):
    """What it said."""

    text: str
    tokens: float | None
    """read and written, as the server counts them; None where it does not"""
    fixed: bool = False
    """whether the same question gets the same answer: it was asked at temperature 0"""

    @property
    def spent(self) -> float:
        """The tokens; 0 where nobody counted them."""
        return self.tokens or 0.0

    def fault(self, reason: str) -> OperatorError:
        """Return the error for an answer that is of no use: another try may do, unless it is fixed."""
        return (OperatorError if self.fixed else Passing)(reason, spent=self.spent)


def ask(endpoint: Endpoint, question: ChatRequest) -> Answer:
    """Ask once, and wait for the whole answer no longer than the endpoint's `timeout`, in seconds of the clock.

    Raises `Passing` where the server is down, late, overloaded or not in the protocol, `OperatorError` where it
    refuses, redirects or cuts the answer off, `BadInput` where no model is named. Each says what the call had cost.
    """
    import openai

    model = question.model or endpoint.model
    if not model:
        raise BadInput("which model? MEMOREPAIR_LLM, or the recipe's model, names it")
    try:
        return _run(_ask(endpoint, model, question))
    except (TimeoutError, openai.APITimeoutError):
        raise Passing(f"the model gave no answer within {endpoint.timeout:g} s", spent=question.read) from None
    except openai.APIConnectionError as error:
        spent = question.read if _was_sent(error) else 0.0
        raise Passing(
            f"the model's endpoint cannot be reached: {_words(error.__cause__ or error)}", spent=spent
        ) from None
    except openai.APIStatusError as error:
        raise _refusal(error) from None
    except openai.OpenAIError as error:
        raise Passing(f"the model's endpoint does not keep to the protocol: {_words(error)}") from None


def _run(question: Coroutine[Any, Any, _Result]) -> _Result:
    """Run to the end, also in a thread that has a loop of its own (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(question)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, question).result()


async def _ask(endpoint: Endpoint, model: str, question: ChatRequest) -> Answer:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    # A client's own timeout counts from byte to byte: a server that drips them would be waited for without end.
    # A redirect would take the memory, and the key, to where nobody said that they may go.
    http = DefaultAsyncHttpxClient(
        timeout=endpoint.timeout,
        follow_redirects=False,
        trust_env=not endpoint.on_this_machine,  # not by way of a proxy
    )
    key = endpoint.api_key.get_secret_value()
    async with (
        asyncio.timeout(endpoint.timeout),
        AsyncOpenAI(base_url=endpoint.base_url, api_key=key, max_retries=0, http_client=http) as client,
    ):
        completion, options = await _complete(endpoint, client, model, question)
    return _answer(completion, fixed=options.get("temperature") == 0)


async def _complete(endpoint: Endpoint, client: Any, model: str, question: ChatRequest) -> tuple[Any, dict[str, Any]]:
    """Return the completion and the options it was asked with; asked again without what the server does not know."""
    import openai

    refused = _refused(endpoint)
    messages = [{"role": "system", "content": question.system}, {"role": "user", "content": question.user}]
    options = {name: value for name, value in _options(question).items() if name not in refused}
    dropped: set[str] = set()
    while True:
        try:
            completion = await client.chat.completions.create(model=model, messages=messages, **options)
        except openai.APIStatusError as error:
            unknown = _unknown(error, options)
            if unknown is None:
                raise
            _log.info("%s answers %d; asked without %s", endpoint.base_url, error.status_code, unknown)
            options.pop(unknown)
            dropped.add(unknown)
        except ValueError:
            reason = "the model's endpoint does not keep to the protocol: its answer is no JSON"
            raise Passing(reason, spent=question.read) from None
        else:
            refused |= dropped
            return completion, options


def _options(question: ChatRequest) -> dict[str, Any]:
    form = {"name": question.name, "strict": True, "schema": question.schema}
    return {
        "response_format": {"type": "json_schema", "json_schema": form},
        "max_tokens": question.tokens,
        "temperature": question.temperature,
    }


def _unknown(error: Any, options: dict[str, Any]) -> str | None:
    """Return the option that a server refuses: the one it names, else the form of the answer, the least known."""
    if error.status_code not in UNKNOWN:
        return None
    message = str(error)
    named = (name for name in DISPENSABLE if name in options and name in message)
    return next(named, "response_format" if "response_format" in options else None)


def _refusal(error: Any) -> OperatorError:
    """Return the error for a status that is no success."""
    spent = _usage(error.response)
    if 300 <= error.status_code < 400:
        to = error.response.headers.get("location", "nowhere")
        return OperatorError(
            f"the model's endpoint redirects to {_words(to)}, which is not followed: set the address that answers",
            spent=spent,
        )
    reason = f"the model's endpoint answered {error.status_code}: {_words(error)}"
    passes = error.status_code >= 500 or error.status_code in MEANT_TO_PASS
    return (Passing if passes else OperatorError)(reason, spent=spent)


def _was_sent(error: BaseException) -> bool:
    """Return whether a connection broke after the question was on its way.

    The server may have answered, and counted.
    """
    cause = error.__cause__
    return cause is not None and type(cause).__name__ in ("ReadError", "RemoteProtocolError")


def _answer(completion: Any, *, fixed: bool) -> Answer:
    tokens = _tokens(completion)
    spent = tokens or 0.0
    try:
        choice = completion.choices[0]
        text, refusal, finish = choice.message.content, choice.message.refusal, choice.finish_reason
    except (AttributeError, IndexError, TypeError):
        reason = "the model's endpoint does not keep to the protocol: there is no message in its answer"
        raise Passing(reason, spent=spent) from None
    if refusal or finish == "content_filter":
        raise OperatorError(f"the model refused: {_words(refusal or 'its answer was filtered')}", spent=spent)
    if finish == "length":
        raise OperatorError("the model's answer was cut off at its length", spent=spent)
    if not isinstance(text, str):
        raise Answer("", tokens, fixed).fault("the model's answer holds no text")
    return Answer(text, tokens, fixed)


def _tokens(completion: Any) -> float | None:
    usage = getattr(completion, "usage", None)
    tokens = getattr(usage, "total_tokens", None)
    return float(tokens) if isinstance(tokens, int) and tokens >= 0 else None


def _usage(response: Any) -> float:
    """Return the tokens that the body of an error counts; 0 where it counts none."""
    try:
        tokens = response.json()["usage"]["total_tokens"]
    except (ValueError, LookupError, TypeError):
        return 0.0
    return float(tokens) if isinstance(tokens, int) and tokens >= 0 else 0.0


@lru_cache(maxsize=8)
def _refused(endpoint: Endpoint) -> set[str]:
    """Return the options that an endpoint has refused, to be added to."""
    return set()


def _words(said: object) -> str:
    text = " ".join(str(said).split()) or type(said).__name__
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"
