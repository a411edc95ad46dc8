"""Registers summary@1: it copies the telling sentences of the sources word for word (regen).

Nothing is phrased anew, so that a summary can hold nothing that its live sources do not.

The recipe is `{"sentences"?: 5, "language"?: "en"}`. Sentences are chosen by sumy's SumBasic (Nenkova and
Vanderwende 2005): of sumy's methods the one that is linear in the text and sums over no set, so that it is the same in
every process. It reads nothing but its own package.
"""

from __future__ import annotations

from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING

from ....errors import OperatorError
from ....model.artifact import Kind
from ....model.vocabulary import Mode, SupportNeed
from ...checks.length import Brief, SummaryRecipe, keeps_length
from ...protocol.context import Context
from ...protocol.verdict import Review, Verdict
from ...text import tokens
from ...text.sentences import cut

if TYPE_CHECKING:
    from ...protocol.registry import Registry

NAME = "summary@1"
CONSIDERED = 150
"""Sentences at most that are weighed, the same share of each source: choosing is quadratic in the worst case."""
TOKENS_A_SENTENCE = 25.0


def estimate(context: Context) -> float:
    """Return the tokens: what is read, and what is written."""
    return context.tokens + TOKENS_A_SENTENCE * Brief.of(context).sentences


def summarise(context: Context) -> str:
    """Copy the most telling sentences of the sources, a line each, in the order in which they stand there."""
    brief = Brief.of(context)
    most, language = brief.sentences, brief.language or "en"
    by_source = [cut(source.content, language) for source in sorted(context.supports, key=lambda source: source.key)]
    in_turn = (sentence for sentence in chain.from_iterable(zip_longest(*by_source)) if sentence is not None)
    considered = set(islice(dict.fromkeys(in_turn), CONSIDERED))
    ordered = [sentence for sentence in dict.fromkeys(chain.from_iterable(by_source)) if sentence in considered]
    if not ordered:
        raise OperatorError(f"the sources of {context.key} hold no text")
    return "\n".join(ordered if len(ordered) <= most else _chosen(ordered, most))


def register(registry: Registry) -> None:
    """Add `summary@1` and its checks to a registry."""
    registry.operator(
        NAME,
        mode=Mode.REGEN,
        support=SupportNeed.AVAILABLE,
        cost=estimate,
        kinds=(Kind.SUMMARY,),
        recipe=SummaryRecipe,
        vouching=(NAME,),
    )(summarise)
    registry.validator(NAME)(copies_only)
    registry.validator(NAME)(keeps_length)


def copies_only(review: Review, content: str) -> Verdict:
    """Check that every line is a whole sentence of a live source: half of one may say the opposite."""
    language = Brief.of(review.context).language or "en"
    sentences = {sentence for source in review.context.supports for sentence in cut(source.content, language)}
    for line in content.split("\n"):
        if line not in sentences:
            return Verdict(False, NAME, f"the line {line[:60]!r} is no copy from a live source")
    return Verdict(True, NAME)


class _Words:
    """Cuts words for sumy."""

    @staticmethod
    def to_words(text: str) -> tuple[str, ...]:
        return tuple(tokens(text))


def _chosen(sentences: list[str], wanted: int) -> list[str]:
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
    from sumy.summarizers.sum_basic import SumBasicSummarizer

    from ...text import STOP_WORDS

    choose = SumBasicSummarizer()
    choose.stop_words = STOP_WORDS
    words = _Words()
    document = ObjectDocumentModel([Paragraph([Sentence(sentence, words) for sentence in sentences])])
    chosen = {str(sentence) for sentence in choose(document, wanted)}
    return [sentence for sentence in sentences if sentence in chosen]
