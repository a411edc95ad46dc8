"""How long a summary shall be, and in which language: from its recipe, else from the text that it succeeds.

The law of the room: what the recipe says holds; what nobody says is not guessed from what was retracted.

An operator has the text that its artifact had only where nothing of it was retracted (design, section 6), so after a
deletion the recipe alone remembers how long it was: `{"sentences"?: 5, "characters"?: 800, "language"?: "en"}`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import BadInput
from ..protocol.context import Context
from ..protocol.verdict import Review, Verdict
from ..text.language import language_of

SENTENCES = 5
"""where neither recipe nor earlier text says"""
ROOM = 1.25
"""A summary may be so many times as long as the one that it succeeds."""


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
    def of(cls, context: Context) -> Brief:
        """The brief of a context; raises `BadInput` for a recipe that asks for what cannot be."""
        recipe, before = context.options, context.previous
        lines = [line for line in (before or "").splitlines() if line.strip()]
        language = recipe.get("language")
        if language is not None and (not isinstance(language, str) or not language):
            raise BadInput(f"the language of {context.key} is a code such as 'en', not {language!r}")
        return cls(
            _whole(context, "sentences") or len(lines) or SENTENCES,
            _whole(context, "characters") or (int(ROOM * len(before)) if before and before.strip() else None),
            language or (language_of(before) if before else None),
        )

    def holds(self, lines: list[str]) -> bool:
        """Whether these lines are no more than asked for."""
        long = self.characters is not None and len(lines) > 1 and len("\n".join(lines)) > self.characters
        return len(lines) <= self.sentences and not long


def keeps_length(review: Review, content: str) -> Verdict:
    """The text has no more sentences and characters than its brief asks for; one sentence may be longer."""
    brief, lines = Brief.of(review.context), content.split("\n")
    if brief.holds(lines):
        return Verdict(True, "keeps_length")
    wanted = f"at most {brief.sentences} lines"
    if brief.characters is not None:
        wanted += f" and {brief.characters} characters"
    return Verdict(
        False, "keeps_length", "longer than asked for", f"{len(lines)} lines of {len(content)} characters", wanted
    )


def _whole(context: Context, name: str) -> int | None:
    number = context.options.get(name)
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
        raise BadInput(f"the recipe of {context.key} asks for 1 or more {name}, not {number!r}")
    return number
