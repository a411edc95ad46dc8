"""Checks what a summary of copies must keep to, beside its length and its sources.

A sentence is judged against the sources that it names, never against another that happens to fit.

That its numbers and names stand in a source needs no check of its own: they stand in a whole sentence that does.
"""

from __future__ import annotations

from ...checks.attribution import by_line
from ...checks.length import Brief
from ...protocol.verdict import Review, Verdict, quoted
from .gathering import cuts


def stands_in_its_source(review: Review, content: str) -> Verdict:
    """Check that every line is a whole sentence of each source that it names: half of one may say the opposite."""
    name = "stands_in_its_source"
    sentences = cuts(review.context, Brief.of(review.context).language)
    compared = 0
    for line, narrowed in by_line(review, content):
        for source in narrowed.context.supports:
            compared += 1
            if line not in sentences[source.key]:
                wanted = f"a sentence of {source.key}"
                return Verdict(False, name, "a line is no copy from a source that it names", quoted(line), wanted)
    return Verdict(True, name) if compared else Verdict.not_applicable(name, "no line names a live source")
