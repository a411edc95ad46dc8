"""Writes clean texts: what a good operator could write, with every number and name from a live source.

As in `planting`: a clean text shares no run of eight words and no sentence with what was retracted, but may use all
its everyday words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from .facts import leaves, sentences_of, stands
from .planting import carrier
from .scenes import Scene

LINKS = (
    "in short,",
    "also,",
    "besides,",
    "as the results show,",
    "in other words,",
    "what is more,",
    "at the same time,",
)
RUN = 8
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Clean:
    """One clean text."""

    sort: str
    """copied from live sources, retold from them, or written anew: sentences of other artifacts"""
    scene: Scene
    text: str


def clean_texts(scenes: Sequence[Scene], others: Sequence[str], count: int, seed: int) -> Iterator[Clean]:
    """Yield so many clean texts, the three sorts in turn; `others` are contents of the memory's other artifacts."""
    draw, made = Random(seed), 0
    pool = [sentence for content in others for sentence in sentences_of(content)]
    sorts = ("copied", "retold", "written anew")
    while made < count:
        scene, sort = draw.choice(scenes), sorts[made % 3]
        text = _written(sort, scene, pool, draw)
        if text and not _shares_a_run(text, scene.retracted):
            made += 1
            yield Clean(sort, scene, text)


def _written(sort: str, scene: Scene, pool: Sequence[str], draw: Random) -> str:
    if sort == "copied":
        return "\n".join(carrier(scene, draw))
    if sort == "retold":
        return " ".join(_retold(line, draw) for line in carrier(scene, draw))
    wanted = draw.randint(1, 3)
    found: list[str] = []
    for _ in range(40):
        sentence = draw.choice(pool)
        if len(found) < wanted and _names_only_what_is_live(sentence, scene):
            found.append(sentence)
    return " ".join(found)


def _retold(line: str, draw: Random) -> str:
    """Return a line with a link before it, some words left out and two neighbours exchanged."""
    words = [word for word in line.split() if draw.random() > 0.15] or line.split()
    if len(words) > 3:
        place = draw.randrange(len(words) - 1)
        words[place], words[place + 1] = words[place + 1], words[place]
    return f"{draw.choice(LINKS)} {' '.join(words)}"


def _names_only_what_is_live(sentence: str, scene: Scene) -> bool:
    """Return whether every word with a digit, or with a capital and not the first, stands in a live source."""
    words = sentence.split()
    telling = [
        word for place, word in enumerate(words) if re.search(r"\d", word) or (place and re.search(r"[A-Z]", word))
    ]
    return all(stands(part, scene.live) for word in telling for part in _WORD.findall(word))


def _shares_a_run(text: str, retracted: Sequence[str]) -> bool:
    runs = _runs(text)
    return any(runs & _runs(leaf) for content in retracted for leaf in leaves(content))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return {tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)} | {
        tuple(_WORD.findall(sentence.casefold())) for sentence in sentences_of(text)
    }
