"""Registers llm@1: it quotes the live sources to a model, and says which of them each sentence is from (regen).

What the model says counts only in the form that was asked for, and after the checks.

The recipe is `{"sentences"?: 5, "characters"?: …, "language"?: "en", "model"?: "…", "temperature"?: 0, "entailment"?:
"words"}`; where the model is, the process says (`endpoint`). The metadata is `{"sources": [[key, …], …]}`: the keys of
the sources of each line. Keys are not shown to the model, nor is the text that is succeeded: only its length and
language are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....errors import OperatorError
from ....model.artifact import Kind
from ....model.vocabulary import Mode, SupportNeed
from ...checks.attribution import sources_named
from ...checks.length import Brief
from ...protocol.context import Context, LiveSource
from ...protocol.payload import Payload
from .answer import Judgement, Summary, read, summary_schema
from .chat import ChatRequest, ask
from .checks import Follows, LlmRecipe, has_its_names, has_its_numbers, keeps_length
from .endpoint import LONGEST, Endpoint
from .prompts import prompt
from .quoting import quote, shares, shortened

if TYPE_CHECKING:
    from ...protocol.registry import Registry

NAME = "llm@1"
TOKENS_A_SENTENCE = 40.0
"""that an answer spends, with its form around it"""
PROMPT_TOKENS = 350.0
"""that the task takes, beside the sources"""
MOST_TOKENS_A_SENTENCE, MOST_AROUND = 120, 80
"""that an answer may have before it is cut off"""
TIMEOUT = 1.25 * LONGEST
"""seconds, for a run and for each check: a server that does not end its answer is given up then"""
RETRIES = 2


class Writer:
    """Holds the operator on one endpoint, or (None) on the one that the environment names when it is asked."""

    def __init__(self, endpoint: Endpoint | None) -> None:
        self._endpoint = endpoint

    @property
    def endpoint(self) -> Endpoint:
        """Return where the model is; raises `BadInput` where nothing says."""
        return self._endpoint or Endpoint.from_env()

    def estimate(self, context: Context) -> float:
        """Return the tokens: the sources and the task are read, the answer is written."""
        return context.tokens + PROMPT_TOKENS + TOKENS_A_SENTENCE * Brief.of(context, LlmRecipe).sentences

    def write(self, context: Context) -> Payload:
        """Have a model write a summary of the live sources, each sentence with the sources that say it."""
        brief, endpoint = Brief.of(context, LlmRecipe), self.endpoint
        sources = [source for source in context.supports if source.content.strip()]
        if not sources:
            raise OperatorError(f"the sources of {context.key} hold no text")
        keys = {f"S{number}": source.key for number, source in enumerate(sources, 1)}
        answer = ask(endpoint, _question(context, brief, dict(zip(keys, _shown(sources, endpoint.reads), strict=True))))
        lines: dict[str, list[str]] = {}
        for sentence in read(Summary, answer).sentences:
            if strange := [label for label in sentence.sources if label not in keys]:
                raise answer.fault(f"the model's answer names a source {strange[0][:20]!r} that it was not given")
            line = " ".join(sentence.text.split())
            named = lines.setdefault(line, [])
            named.extend(keys[label] for label in dict.fromkeys(sentence.sources) if keys[label] not in named)
        lines.pop("", None)
        if not lines:
            raise OperatorError("the model found nothing to say", spent=answer.spent)
        return Payload("\n".join(lines), metadata={"sources": list(lines.values())}, spent=answer.tokens)

    def judge(self, context: Context, sentence: str, sources: Sequence[str]) -> bool:
        """Ask the model whether a sentence follows from the contents of its sources; raises as `ask` does."""
        endpoint = self.endpoint
        quota = shares([len(text) for text in sources], endpoint.reads)
        texts = {f"S{n}": shortened(text, share) for n, (text, share) in enumerate(zip(sources, quota, strict=True), 1)}
        quoted = quote({**texts, "CLAIM": sentence})
        system = prompt("judge", boundary=quoted.boundary)
        schema = Judgement.model_json_schema()
        question = ChatRequest(
            system, quoted.text, "judgement", schema, MOST_AROUND, context.recipe_as(LlmRecipe).model
        )
        return read(Judgement, ask(endpoint, question)).supported


def register(registry: Registry, endpoint: Endpoint | None = None, *, retries: int = RETRIES) -> None:
    """Add `llm@1` and its checks to a registry; raises `BadInput` when it has one already.

    Without an endpoint it is the one that the environment names, when a model is asked for the first time.
    """
    writer = Writer(endpoint)
    registry.operator(
        NAME,
        mode=Mode.REGEN,
        support=SupportNeed.AVAILABLE,
        cost=writer.estimate,
        previous=True,
        timeout=TIMEOUT,
        kinds=(Kind.SUMMARY,),
        recipe=LlmRecipe,
        needs=("openai",),
        extra="llm",
        retries=retries,
        vouching=("follows",),
    )(writer.write)
    for check in (sources_named, has_its_numbers, has_its_names, Follows(writer.judge).follows, keeps_length):
        registry.validator(NAME)(check)


def _question(context: Context, brief: Brief, texts: dict[str, str]) -> ChatRequest:
    quoted = quote(texts)
    system = prompt(
        "summary",
        boundary=quoted.boundary,
        sentences=brief.sentences,
        characters="" if brief.characters is None else f" and {brief.characters} characters",
        language="the language of most of the sources"
        if brief.language is None
        else f"the language {brief.language!r}",
    )
    tokens = MOST_AROUND + MOST_TOKENS_A_SENTENCE * brief.sentences
    schema = summary_schema(list(texts), brief.sentences)
    recipe = context.recipe_as(LlmRecipe)
    return ChatRequest(system, quoted.text, "summary", schema, tokens, recipe.model, recipe.temperature)


def _shown(sources: list[LiveSource], reads: int) -> list[str]:
    quota = shares([len(source.content) for source in sources], reads)
    return [shortened(source.content, share) for source, share in zip(sources, quota, strict=True)]
