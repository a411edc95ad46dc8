"""What a summary of copies must keep to, beside what holds for every regenerated text.

The law of the room: a sentence is judged against the sources that it names, never against another that happens to fit.

That its numbers and names stand in a source needs no check of its own: they are whole words of a sentence that does.
"""

from __future__ import annotations

from ..origin import by_line, shown
from ..support import sentences_contained
from ..verdict import Review, Verdict
from ..wording import passages


def stands_in_its_source(review: Review, content: str) -> Verdict:
    """Every line stands, to the letter, in each source that it names."""
    name = "stands_in_its_source"
    for line, narrowed in by_line(review, content):
        for source in narrowed.context.supports:
            if not any(line in text for text in passages(source.content)):
                wanted = f"a sentence of {source.key}"
                return Verdict(False, name, "a line is no copy from a source that it names", shown(line), wanted)
    return Verdict(True, name)


def whole_words(review: Review, content: str) -> Verdict:
    """Every sentence stands in a live source as whole words: `order 88` is no copy from `order 881`."""
    verdict = sentences_contained(review, content)
    return Verdict(verdict.ok, "whole_words", verdict.reason, verdict.saw, verdict.wanted)
