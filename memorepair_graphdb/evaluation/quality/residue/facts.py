"""Finds what a person would call a sentence, a number, a name or an identifier in a text, by plain rules.

Written without a look at the validator; where a rule is in doubt it finds less, not more.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LEAST_WORDS = 6
"""words of a sentence that says something"""
LONGEST = 400
"""characters of a sentence; longer stretches are lists or markup"""

_SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z\"'])|\n+")
_WORD = re.compile(r"\w+(?:[.'’]\w+)*")
_NUMBER = re.compile(r"(?<![\w.,/:@-])\d{2,}(?:\.\d+)?(?![\w/:@-]|[.,]\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINK = re.compile(r"https?://[^\s\"'<>,)]+[\w/]")
_CODE = re.compile(r"(?<![\w@./:-])(?=\w*\d)(?=\w*[A-Za-z])\w{4,}(?![\w@./:-])")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?![\w'’-])")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|k|am|pm|D|p|x|%)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is told apart in a sentence."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    identifiers: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.identifiers, *self.names, *self.numbers)


def leaves(content: str) -> Iterator[str]:
    """Yield the texts in a content: the strings and figures of a JSON document, or the text itself."""
    try:
        data = json.loads(content)
    except ValueError:
        data = content
    yield from _strings(data)


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        for one in data:
            yield from _strings(one)
    elif data is not None and not isinstance(data, bool):
        yield str(data)


def sentences_of(content: str) -> Iterator[str]:
    """Yield sentences of six words and more, as they are written."""
    for leaf in leaves(content):
        for part in _SENTENCE_END.split(leaf):
            sentence = part.strip()
            if len(sentence) <= LONGEST and len(re.findall(r"[A-Za-z]{2,}", sentence)) >= LEAST_WORDS:
                yield sentence


def facts_of(text: str) -> Facts:
    """Return the numbers of two digits and more, the names inside a sentence, and the identifiers of a text."""
    codes = [code for code in _CODE.findall(text) if not _ORDINAL.fullmatch(code)]
    identifiers = dict.fromkeys([*_MAIL.findall(text), *_LINK.findall(text), *codes])
    rest = _LINK.sub(" ", _MAIL.sub(" ", text))
    return Facts(
        tuple(dict.fromkeys(_NUMBER.findall(rest))), tuple(dict.fromkeys(_NAME.findall(rest))), tuple(identifiers)
    )


def words_of(content: str) -> set[str]:
    """Return the words of a content, case-folded, as a search engine cuts them: `alice.novak` is one word."""
    return {word.casefold() for word in _WORD.findall(content)}


def squeezed(text: str) -> str:
    """Return letters and digits only, in one case and without accents: two spellings of one thing are the same."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in decomposed if character.isalnum())


def stands(fact: str, texts: tuple[str, ...]) -> bool:
    """Return whether a text holds the fact in any spelling, not as part of a longer word."""
    parts = re.findall(r"[^\W_]+", _THOUSANDS.sub("", unicodedata.normalize("NFKD", fact).casefold()))
    pattern = re.compile(r"(?<![^\W_])" + r"[\W_]*".join(map(re.escape, parts)) + r"(?![^\W_])")
    return any(pattern.search(_THOUSANDS.sub("", unicodedata.normalize("NFKD", text).casefold())) for text in texts)
