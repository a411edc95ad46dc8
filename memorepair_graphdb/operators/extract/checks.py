"""What a summary of copies must keep to, beside what holds for every regenerated text.

The law of the room: a sentence is judged against the sources that it names, never against another that happens to fit.

That its numbers and names stand in a source needs no check of its own: they are whole words of a sentence that does.
"""

from __future__ import annotations

from ..brief import Brief
from ..origin import by_line, shown
from ..verdict import Review, Verdict
from ..wording import passages
from .gathering import gather


def stands_in_its_source(review: Review, content: str) -> Verdict:
    """Every line stands, to the letter, in each source that it names."""
    name = "stands_in_its_source"
    for line, narrowed in by_line(review, content):
        for source in narrowed.context.supports:
            if not any(line in text for text in passages(source.content)):
                wanted = f"a sentence of {source.key}"
                return Verdict(False, name, "a line is no copy from a source that it names", shown(line), wanted)
    return Verdict(True, name)


def whole_sentences(review: Review, content: str) -> Verdict:
    """A line that stands in a live source is a whole sentence there: half of one may say the opposite."""
    name, live = "whole_sentences", review.context.supports
    whole = gather(review.context, Brief.of(review.context).language)
    texts = [text for source in live for text in passages(source.content)]
    for line in content.split("\n"):
        if line not in whole and (around := next((text for text in texts if line in text), None)) is not None:
            return Verdict(False, name, "a line is a part of a sentence", shown(line), f"a sentence of {shown(around)}")
    return Verdict(True, name)
