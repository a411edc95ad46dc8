"""Text made comparable: tokens that survive a change of case, spacing, width or punctuation.

The law of the room: two texts that a reader takes for the same have the same tokens.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
)
"""Thai and Lao, Burmese, Khmer, Japanese kana, Han: scripts that put no space between words."""

_IS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_COMPOUND = re.compile(r"\w+(?:[@/:.\-+#]+\w+)+|\w*_\w*|\w*\d\w*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")
_SCHEMA_KEY = re.compile(r"[A-Za-z][A-Za-z_]*")
_KEPT = 64 * 1024
"""Characters: longer texts are not kept in the cache below."""

_STOP_WORDS = """
a about above after again all also am an and any are as at be because been before being below between both but by
can cannot could did do does doing down during each else few for from further had has have having he her here hers
him his how i if in into is it its itself just may me might more most must my no nor not now of off on once one only
or other our ours out over own per same shall she should so some such than that the their theirs them then there
these they this those through to too two under until up upon us use used using very was we were what when where
which while who whom whose why will with within without would yes you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English words too common to be anybody's; other languages rely on the frequency in the space."""


def clean(text: str) -> str:
    """NFKC, with what has no width taken out and digits joined across thousands commas; case is kept."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return _THOUSANDS.sub("", text) if "," in text else text


def tokens(cleaned: str) -> list[str]:
    """Words and numbers, case-folded; a character each where the script has no spaces."""
    return _TOKEN.findall(cleaned.casefold())


def cased_tokens(cleaned: str) -> list[str]:
    """As `tokens`, but in the case they are written in."""
    return _TOKEN.findall(cleaned)


def unspaced(token: str) -> bool:
    """Whether the token is one character of a script without spaces."""
    return _IS_UNSPACED.match(token) is not None


def compounds(cleaned: str) -> list[str]:
    """Written units that hold a digit, `_`, or one of `@ / : . - + #` inside, in the case they are written in."""
    return _COMPOUND.findall(cleaned)


def sentences(passage: str) -> list[str]:
    """A cheap cut at the ends of sentences and lines, the same on both sides of a comparison."""
    return [part for part in _END.split(passage) if part and not part.isspace()]


def passages(content: str, every_key: bool = False) -> tuple[str, ...]:
    """The texts that a content holds: itself, or where it is a JSON object or array its leaves and telling keys.

    A key such as `order_id` is a schema's word, not a person's, and is left out unless `every_key` is asked for; a key
    such as `ann@example.com` is in.
    """
    if content[:1] in ("{", "["):
        try:
            data = json.loads(content)
        except (ValueError, RecursionError):
            return (content,)
        return tuple(_leaves(data, every_key))
    return (content,)


def stream(content: str) -> str:
    """All tokens of a content, every key's too, between single spaces and within two; a bar parts the passages."""
    return _stream(content) if len(content) > _KEPT else _kept_stream(content)


def phrase(text: str) -> str:
    """The tokens of a phrase as `stream` writes them: `phrase(p) in stream(content)` asks whether p stands there."""
    return f" {' '.join(tokens(clean(text)))} "


def _stream(content: str) -> str:
    return f" {' | '.join(' '.join(tokens(clean(passage))) for passage in passages(content, True))} "


_kept_stream = lru_cache(maxsize=1024)(_stream)


def _leaves(data: Any, every_key: bool) -> Iterator[str]:
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for key in reversed(value):
                waiting.append(value[key])
                if every_key or not _SCHEMA_KEY.fullmatch(key):
                    waiting.append(key)
        elif isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, str):
            yield value
        elif value is not None and not isinstance(value, bool):
            yield json.dumps(value)
