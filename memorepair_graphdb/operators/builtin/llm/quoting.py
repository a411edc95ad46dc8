"""Quotes sources for a model, between marks that no source can write.

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
    """Holds texts between marks."""

    boundary: str
    text: str


def quote(texts: Mapping[str, str]) -> Quoted:
    """Quote the texts in their order, each with its label between its marks."""
    tamed = {label: _CONTROL.sub(r"\g<0> ", text) for label, text in texts.items()}
    boundary = _boundary(list(tamed.values()))
    blocks = (f"BEGIN {boundary} {label}\n{text}\nEND {boundary} {label}" for label, text in tamed.items())
    return Quoted(boundary, "\n\n".join(blocks))


def shares(lengths: Sequence[int], total: int) -> list[int]:
    """Share `total` characters among texts of these lengths: short texts whole, of long ones as much as of others."""
    quota = [0] * len(lengths)
    left = total
    for rank, index in enumerate(sorted(range(len(lengths)), key=lambda index: lengths[index])):
        quota[index] = min(lengths[index], left // (len(lengths) - rank))
        left -= quota[index]
    return quota


def shortened(text: str, characters: int) -> str:
    """Return the beginning of a text, cut at a space where there is one in its second half."""
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
