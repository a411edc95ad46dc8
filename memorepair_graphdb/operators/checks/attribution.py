"""From which source each line of a regenerated text comes, as its metadata says: `{"sources": [[key, …], …]}`.

A line names live sources, or it is a fault; what the metadata lacks is never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..protocol.context import LiveSource
from ..protocol.verdict import Review, Verdict, quoted


def sources_named(review: Review, content: str) -> Verdict:
    """`sources` in the metadata names, for each line in turn, one or more live sources."""
    name, lines, keys_by_line = "sources_named", content.split("\n"), named(review)
    if len(keys_by_line) != len(lines):
        saw, wanted = f"sources of {len(keys_by_line)} lines", f"those of {len(lines)}"
        return Verdict(False, name, "the metadata does not name the sources of each line", saw, wanted)
    live = {source.key for source in review.context.supports}
    for line, keys in zip(lines, keys_by_line, strict=True):
        if not keys or not set(keys) <= live:
            saw, wanted = ", ".join(keys) or "none", f"of {', '.join(sorted(live))}"
            return Verdict(False, name, f"{quoted(line)} has no live source", saw, wanted)
    return Verdict(True, name)


def named(review: Review) -> list[list[str]]:
    """Return the keys that the metadata names for each line; [] where it does not say, or not in this form."""
    metadata = review.payload.metadata
    keys_by_line = metadata.get("sources") if isinstance(metadata, dict) else None
    if not isinstance(keys_by_line, list) or not all(isinstance(keys, list) for keys in keys_by_line):
        return []
    return [[key for key in keys if isinstance(key, str)] for keys in keys_by_line]


def by_line(review: Review, content: str) -> Iterator[tuple[str, Review]]:
    """Each line, and the review of a context that has the sources it names and no other."""
    for line, keys in zip(content.split("\n"), named(review), strict=False):
        yield line, replace(review, context=replace(review.context, supports=_of(review, keys)))


def _of(review: Review, keys: list[str]) -> tuple[LiveSource, ...]:
    return tuple(source for source in review.context.supports if source.key in keys)
