"""Sources quoted for a model, between marks that no source can write.

A mark holds a hash of all that is quoted, so no text can hold it by design; and no text keeps a
sequence that a server would read as the start of another turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

_CONTROL = re.compile(r"<(?=\S)|\[(?=/?[A-Z_]{3,}\])")
"""Openings of control tokens: `<|im_start|>`, `<s>`, `<start_of_turn>`, `[INST]`. Many servers look for these in what
a user says too; with a space after the bracket they are text."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """Texts between marks."""

    boundary: str
    text: str


def quote(texts: Mapping[str, str]) -> Quoted:
    """Label → text, in this order, each between its marks."""
    tamed = {label: _CONTROL.sub(r"\g<0> ", text) for label, text in texts.items()}
    boundary = _boundary(list(tamed.values()))
    blocks = (f"BEGIN {boundary} {label}\n{text}\nEND {boundary} {label}" for label, text in tamed.items())
    return Quoted(boundary, "\n\n".join(blocks))


def shares(lengths: Sequence[int], total: int) -> list[int]:
    """How many characters of each text are quoted where `total` are: short texts whole, long ones as much as others."""
    given = [0] * len(lengths)
    left = total
    for rank, place in enumerate(sorted(range(len(lengths)), key=lambda place: lengths[place])):
        given[place] = min(lengths[place], left // (len(lengths) - rank))
        left -= given[place]
    return given


def shortened(text: str, characters: int) -> str:
    """The beginning of a text, cut at a space where there is one in its second half."""
    if len(text) <= characters:
        return text
    end = text.rfind(" ", characters // 2, characters + 1)
    return text[: characters if end < 0 else end]


def _boundary(texts: list[str]) -> str:
    joined = "\0".join(texts)
    mark = sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
    while mark[:16] in joined:  # not before a hash can be foreseen
        mark = sha256(mark.encode()).hexdigest()
    return mark[:16]
