"""Cuts a content into sentences, each a stretch of the content without a change inside.

`cut` uses sentencex, which reads nothing but its own package; `sentences` is cheaper, for comparing.
"""

from __future__ import annotations

import re

from .passages import passages
from .tokens import tokens

LONGEST = 600
"""characters that count as one sentence; a longer stretch is cut at a space"""
_LINES = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")
_WIDE_STOP = re.compile(r"(?<=[。！？])")


def sentences(passage: str) -> list[str]:
    """Cut at the ends of sentences and lines, cheaply, the same on both sides of a comparison."""
    return [part for part in _END.split(passage) if part and not part.isspace()]


def cut(content: str, language: str) -> list[str]:
    """Return the sentences of a content; of JSON, those in its texts, or all texts and figures where there is none."""
    parts = [part for passage in passages(content) for part in _cut_passage(passage, language)]
    return [part for part in parts if len(tokens(part)) > 2] or parts


def _cut_passage(passage: str, language: str) -> list[str]:
    from sentencex import segment  # here: it loads what most processes never need

    parts = []
    for line in _LINES.split(passage):
        for part in segment(language, line):
            for sentence in _WIDE_STOP.split(part):
                parts.extend(_cut_long(sentence.strip()))
    return [sentence for sentence in parts if any(map(str.isalnum, sentence))]


def _cut_long(sentence: str) -> list[str]:
    parts = []
    while len(sentence) > LONGEST:
        end = sentence.rfind(" ", 1, LONGEST)
        end = LONGEST if end < 0 else end
        parts.append(sentence[:end].rstrip())
        sentence = sentence[end:].lstrip()
    return [*parts, sentence]
