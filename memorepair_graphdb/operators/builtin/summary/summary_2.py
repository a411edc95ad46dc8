"""Registers summary@2: it ranks sentences by their vectors, and copies the best with their sources (regen).

The vectors choose; what is said is copied.

The recipe is `{"sentences"?: 5, "characters"?: …, "language"?: "en"}`. The metadata is `{"sources": [[key, …], …]}`:
the keys of the sources in which each line stands. MiniLM was trained on English: in other languages it still tells like
from unlike, but worse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....errors import OperatorError
from ....model.artifact import Kind
from ....model.vocabulary import Mode, SupportNeed
from ...checks.attribution import sources_named
from ...checks.length import Brief, SummaryRecipe, keeps_length
from ...embedding.features import Features
from ...embedding.minilm import MODULES, MiniLM
from ...protocol.context import CHARACTERS_PER_TOKEN, Context
from ...protocol.payload import Payload
from .checks import stands_in_its_source
from .gathering import gather
from .ranking import choose

if TYPE_CHECKING:
    from ...protocol.registry import Registry

NAME = "summary@2"
TOKENS_A_SENTENCE = 25.0
TIMEOUT = 120.0
"""seconds: MiniLM reads 150 sentences in two, ten times that on a busy machine"""


class Extractor:
    """Holds the operator on one kind of features."""

    def __init__(self, features: Features) -> None:
        self.features = features

    def estimate(self, context: Context) -> float:
        """Return the tokens: what is read, and what is written, which is no more."""
        return context.tokens + min(context.tokens, TOKENS_A_SENTENCE * Brief.of(context).sentences)

    def summarise(self, context: Context) -> Payload:
        """Copy the central sentences of the sources, a line each, in the order in which they stand there."""
        brief = Brief.of(context)
        bearers = gather(context, brief.language)
        if not bearers:
            raise OperatorError(f"the sources of {context.key} hold no text")
        sentences = list(bearers)
        vectors = self.features.encode(sentences)
        lines = [
            sentences[index]
            for index in choose(vectors, lambda indices: brief.holds([sentences[index] for index in indices]))
        ]
        content = "\n".join(lines)
        spent = context.tokens + len(content) / CHARACTERS_PER_TOKEN
        return Payload(content, metadata={"sources": [bearers[line] for line in lines]}, spent=spent)


def register(registry: Registry, features: Features | None = None) -> None:
    """Add `summary@2` and its checks to a registry; raises `BadInput` when it has one already."""
    extractor = Extractor(features or MiniLM())
    registry.operator(
        NAME,
        mode=Mode.REGEN,
        support=SupportNeed.AVAILABLE,
        cost=extractor.estimate,
        previous=True,
        timeout=TIMEOUT,
        kinds=(Kind.SUMMARY,),
        recipe=SummaryRecipe,
        needs=() if features else MODULES,
        extra="embed",
        vouching=("stands_in_its_source",),
    )(extractor.summarise)
    for check in (sources_named, stands_in_its_source, keeps_length):
        registry.validator(NAME)(check)
