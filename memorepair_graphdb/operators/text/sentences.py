"""The sentences of a content, for what copies them.

The law of the room: a cut is a stretch of the content as it stands there; nothing inside it is changed.

Sentences are cut by sentencex, which reads nothing but its own package.
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
    """A cheap cut at the ends of sentences and lines, the same on both sides of a comparison."""
    return [part for part in _END.split(passage) if part and not part.isspace()]


def cut(content: str, language: str) -> list[str]:
    """The sentences of a content; of JSON, those in its texts, or all texts and figures where there is none."""
    cuts = [one for passage in passages(content) for one in _cut_passage(passage, language)]
    return [one for one in cuts if len(tokens(one)) > 2] or cuts


def _cut_passage(passage: str, language: str) -> list[str]:
    from sentencex import segment  # here: it loads what most processes never need

    found = []
    for line in _LINES.split(passage):
        for part in segment(language, line):
            for sentence in _WIDE_STOP.split(part):
                found.extend(_no_longer(sentence.strip()))
    return [sentence for sentence in found if any(map(str.isalnum, sentence))]


def _no_longer(sentence: str) -> list[str]:
    parts = []
    while len(sentence) > LONGEST:
        end = sentence.rfind(" ", 1, LONGEST)
        end = LONGEST if end < 0 else end
        parts.append(sentence[:end].rstrip())
        sentence = sentence[end:].lstrip()
    return [*parts, sentence]
