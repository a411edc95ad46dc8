"""Looks for what only a retracted text said in all that is served, by plain words and runs of words.

Nothing is shared with the operators' checks; what a record in service says is no trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

WORD = re.compile(r"[^\W_]+")
RUN = 8
"""words"""
IN_BYTES = re.compile(r"[^\x00-\x1f\x7f-\x9f\ufffd]{40,}|[^\W_]{6,}")
"""What is text in a blob: long stretches, such as the header of a file, and long words. Short ones stand in the bytes
of any matrix by chance."""


def words_in(blob: bytes) -> str:
    """Return what of a blob reads as text, a line each."""
    return "\n".join(IN_BYTES.findall(blob.decode("utf-8", "replace")))


@dataclass(frozen=True, slots=True)
class ServedWords:
    """One artifact in service."""

    key: str
    kind: str
    text: str
    """content, recipe, metadata and blob"""


def leaks(retracted: Sequence[str], served: Iterable[ServedWords]) -> list[tuple[str, str]]:
    """Return (key, what) for each derived artifact that holds a word or a run of eight that only retracted texts have.

    `served` is all that is in service; what a record among it says is nobody's secret. Where a run goes over the end of
    a line, it is one only if a record does not say each of its lines: two live lines may meet by chance.
    """
    everything = list(served)
    records = [one.text for one in everything if one.kind == "record"]
    secret = {mark for text in retracted for mark in _marks(text)} - {mark for text in records for mark in _marks(text)}
    spoken = "\n".join(f" {' '.join(_words(text))} " for text in records)
    return [
        (one.key, mark)
        for one in everything
        if one.kind != "record"
        for mark in sorted(set(_secret_marks(one.text, secret, spoken)))[:1]
    ]


def _secret_marks(text: str, secret: set[str], spoken: str) -> Iterator[str]:
    """Yield the secret marks of a text, but for runs over several lines that are each spoken by a record."""
    words = [(word, line) for line, part in enumerate(text.splitlines()) for word in _words(part)]
    yield from (word for word, _ in words if word in secret)
    for start in range(len(words) - RUN + 1):
        run = words[start : start + RUN]
        if (mark := " ".join(word for word, _ in run)) in secret:
            parts = [" ".join(word for word, _ in part) for _, part in groupby(run, lambda told: told[1])]
            if len(parts) == 1 or not all(f" {part} " in spoken for part in parts):
                yield mark


def _marks(text: str) -> Iterator[str]:
    words = _words(text)
    yield from words
    for start in range(len(words) - RUN + 1):
        yield " ".join(words[start : start + RUN])


def _words(text: str) -> list[str]:
    return [word.casefold() for word in WORD.findall(text)]
