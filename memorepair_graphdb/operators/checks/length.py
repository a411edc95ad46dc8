"""How long a summary shall be, and in which language: from its recipe, else from the text that it succeeds.

What the recipe says holds; what nobody says is not guessed from what was retracted.

An operator has the text that its artifact had only where nothing of it was retracted (design, section 6), so after a
deletion the recipe alone remembers how long it was: `{"sentences"?: 5, "characters"?: 800, "language"?: "en"}`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from ..protocol.context import Context
from ..protocol.recipe import Recipe
from ..protocol.verdict import Review, Verdict
from ..text.language import language_of

SENTENCES = 5
"""where neither recipe nor earlier text says"""
ROOM = 1.25
"""A summary may be so many times as long as the one that it succeeds."""


class SummaryRecipe(Recipe):
    """What a recipe of summary@1 and summary@2 may say."""

    sentences: int | None = Field(
        default=None, ge=1, description=f"The most lines; by default those of the former text, else {SENTENCES}."
    )
    characters: int | None = Field(
        default=None, ge=1, description=f"The most characters; by default {ROOM} times those of the former text."
    )
    language: str | None = Field(
        default=None, min_length=1, description="A code such as en; by default the language of the former text."
    )


@dataclass(frozen=True, slots=True)
class Brief:
    """What a summary is asked for."""

    sentences: int
    """at most, a line each"""
    characters: int | None
    """at most, where anything says; one sentence may be longer"""
    language: str | None
    """code such as `en`; None: that of most of the sources"""

    @classmethod
    def of(cls, context: Context, model: type[SummaryRecipe] = SummaryRecipe) -> Brief:
        """Return the brief of a context whose recipe is of this model; raises `BadInput` for a recipe that is not."""
        recipe, before = context.recipe_as(model), context.previous
        lines = [line for line in (before or "").splitlines() if line.strip()]
        return cls(
            recipe.sentences or len(lines) or SENTENCES,
            recipe.characters or (int(ROOM * len(before)) if before and before.strip() else None),
            recipe.language or (language_of(before) if before else None),
        )

    def holds(self, lines: list[str]) -> bool:
        """Return whether these lines are no more than asked for."""
        long = self.characters is not None and len(lines) > 1 and len("\n".join(lines)) > self.characters
        return len(lines) <= self.sentences and not long


def keeps_length(review: Review, content: str) -> Verdict:
    """The text has no more sentences and characters than its brief asks for; one sentence may be longer."""
    return judge_length(Brief.of(review.context), content)


def judge_length(brief: Brief, content: str) -> Verdict:
    """Return whether a text is as short as its brief asks for."""
    lines = content.split("\n")
    if brief.holds(lines):
        return Verdict(True, "keeps_length")
    wanted = f"at most {brief.sentences} lines"
    if brief.characters is not None:
        wanted += f" and {brief.characters} characters"
    return Verdict(
        False, "keeps_length", "longer than asked for", f"{len(lines)} lines of {len(content)} characters", wanted
    )
