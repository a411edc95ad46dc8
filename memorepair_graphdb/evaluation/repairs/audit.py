"""Does anything that is served hold what only a retracted text said? Plain words and runs of words, nothing cleverer.

The law of the room: nothing is shared with the operators' checks; what a record in service says is no trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

WORD = re.compile(r"[^\W_]+")
RUN = 8
"""words"""


IN_BYTES = re.compile(r"[^\W_]{6,}")
"""Words in a blob; shorter ones stand in the bytes of any matrix by chance."""


def words_in(blob: bytes) -> str:
    """What of a blob reads as words, a line each."""
    return "\n".join(IN_BYTES.findall(blob.decode("utf-8", "replace")))


class Served(NamedTuple):
    """One artifact in service."""

    key: str
    kind: str
    text: str
    """content, recipe, metadata and blob"""


def leaks(retracted: Sequence[str], served: Iterable[Served]) -> list[tuple[str, str]]:
    """(key, what) for each derived artifact that holds a word or a run of eight that only retracted texts have.

    `served` is all that is in service; what a record among it says is nobody's secret.
    """
    everything = list(served)
    said: set[str] = set()
    for one in everything:
        if one.kind == "record":
            said.update(_marks(one.text))
    secret = {mark for text in retracted for mark in _marks(text)} - said
    return [
        (one.key, mark)
        for one in everything
        if one.kind != "record"
        for mark in sorted(secret.intersection(_marks(one.text)))[:1]
    ]


def _marks(text: str) -> Iterator[str]:
    """Runs end with their line: where a summary puts one source's line under another's, nobody's text is copied."""
    for line in text.splitlines():
        words = [word.casefold() for word in WORD.findall(line)]
        yield from words
        for start in range(len(words) - RUN + 1):
            yield " ".join(words[start : start + RUN])
