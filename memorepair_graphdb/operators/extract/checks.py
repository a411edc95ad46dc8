"""What a summary of copies must keep to, beside what holds for every regenerated text.

The law of the room: a sentence is judged against the source that it names, never against another that happens to fit.

That its numbers and names stand in a source needs no check of its own: they are whole words of a sentence that does.
"""

from __future__ import annotations

from typing import Any

from ..support import sentences_contained
from ..verdict import Review, Verdict
from ..wording import passages

SHOWN = 80
"""characters of a line that a verdict quotes"""


def sources_named(review: Review, content: str) -> Verdict:
    """`sources` in the metadata names, for each line in turn, one or more live sources."""
    lines, named = content.split("\n"), _named(review)
    if len(named) != len(lines):
        return Verdict(
            False,
            "sources_named",
            "lines without their sources",
            f"sources of {len(named)} lines",
            f"those of {len(lines)}",
        )
    live = {source.key for source in review.context.supports}
    for line, keys in zip(lines, named, strict=True):
        if not keys or not set(keys) <= live:
            said = ", ".join(map(str, keys)) or "none"
            return Verdict(False, "sources_named", f"{_short(line)} has no live source", said, ", ".join(sorted(live)))
    return Verdict(True, "sources_named")


def stands_in_its_source(review: Review, content: str) -> Verdict:
    """Every line stands, to the letter, in each source that it names."""
    texts = {source.key: passages(source.content) for source in review.context.supports}
    for line, keys in zip(content.split("\n"), _named(review), strict=False):
        for key in keys:
            if not any(line in text for text in texts.get(key, ())):
                return Verdict(
                    False, "stands_in_its_source", "no copy from the source it names", _short(line), f"a text of {key}"
                )
    return Verdict(True, "stands_in_its_source")


def whole_words(review: Review, content: str) -> Verdict:
    """Every sentence stands in a live source as whole words: `order 88` is no copy from `order 881`."""
    verdict = sentences_contained(review, content)
    return Verdict(verdict.ok, "whole_words", verdict.reason, verdict.saw, verdict.wanted)


def _named(review: Review) -> list[list[Any]]:
    """The sources of each line; [] where the metadata does not say, or not in this form."""
    metadata = review.payload.metadata
    named = metadata.get("sources") if isinstance(metadata, dict) else None
    if not isinstance(named, list) or not all(isinstance(keys, list) for keys in named):
        return []
    return [[key for key in keys if isinstance(key, str)] for keys in named]


def _short(line: str) -> str:
    return repr(line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…")
