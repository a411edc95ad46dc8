"""Checks that a model's summary says what the sources that it names say.

Each line is judged by the sources that it names, not by all that happen to be there.

Numbers, names and identifiers must stand there. For the rest an entailment check is declared: by default a sentence is
a copy, or the sources that it names hold at least `SHARE` of its content words, and every single digit. That is a check
of words: it lets a denial pass. Where the recipe says `"entailment": "judge"`, the model is asked instead, once a
sentence that is no copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from pydantic import Field

from ...checks.attribution import by_line
from ...checks.grounding import Entails, names_supported, numbers_supported, sentences_contained
from ...checks.length import Brief, SummaryRecipe, judge_length
from ...protocol.context import Context
from ...protocol.verdict import Review, Verdict
from ...text import STOP_WORDS, clean, phrase, stream, tokens

SHARE = 0.6
"""of a sentence's content words that its sources hold"""
JUDGE = "judge"

Judge = Callable[[Context, str, Sequence[str]], bool]
"""A context, a sentence and the contents of its sources → whether a model says that it follows."""


class LlmRecipe(SummaryRecipe):
    """Describes the recipes of llm@1."""

    model: str = Field(default="", description="Another model of the same endpoint; by default the one that is set.")
    temperature: float = Field(default=0.0, ge=0, le=2, description="The temperature that the model is asked with.")
    entailment: Literal["words", "judge"] = Field(
        default="words", description="How a sentence is held against its sources: by its words, or by the model."
    )
    base_url: Any = Field(default=None, description="Never read: where the model is, the environment says.")
    endpoint: Any = Field(default=None, description="Never read: where the model is, the environment says.")


def keeps_length(review: Review, content: str) -> Verdict:
    """Check that the text has no more sentences and characters than its brief asks for; one sentence may be longer."""
    return judge_length(Brief.of(review.context, LlmRecipe), content)


def has_its_numbers(review: Review, content: str) -> Verdict:
    """Check that every number of two digits and more stands in a source that its line names."""
    return _first_fault("has_its_numbers", numbers_supported, review, content)


def has_its_names(review: Review, content: str) -> Verdict:
    """Check that every name and identifier stands in a source that its line names."""
    return _first_fault("has_its_names", names_supported, review, content)


class Follows:
    """Holds the entailment check, with a model at hand for the recipes that declare it."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def follows(self, review: Review, content: str) -> Verdict:
        """Check that every line is a copy from a source that it names, or follows from these by the declared check."""
        context = review.context
        entails: Entails = words_entail
        if context.recipe_as(LlmRecipe).entailment == JUDGE:

            def entails(sentence: str, sources: Sequence[str]) -> bool:
                return self._judge(context, sentence, sources)

        def check(narrowed: Review, line: str) -> Verdict:
            return sentences_contained(narrowed, line, entails=entails)

        return _first_fault("follows", check, review, content)


def words_entail(sentence: str, sources: Sequence[str]) -> bool:
    """Say whether the sources hold `SHARE` of the distinct words, stop words apart, and every single digit."""
    words = {word for word in tokens(clean(sentence)) if word not in STOP_WORDS}
    streams = list(map(stream, sources))
    held = {word for word in words if any(phrase(word) in text for text in streams)}
    return len(held) >= SHARE * len(words) and not any(word.isdecimal() and len(word) == 1 for word in words - held)


def _first_fault(name: str, check: Callable[[Review, str], Verdict], review: Review, content: str) -> Verdict:
    applies = False
    for line, narrowed in by_line(review, content):
        verdict = check(narrowed, line)
        if not verdict.ok:
            return Verdict(False, name, verdict.reason, verdict.saw, verdict.wanted)
        applies = applies or verdict.applies
    return Verdict(True, name) if applies else Verdict.not_applicable(name, "no line has what it looks for")
