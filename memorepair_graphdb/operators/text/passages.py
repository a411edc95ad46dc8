"""What a content holds: its texts, whether it is text or JSON, as passages and as one stream of tokens.

The law of the room: what stands in a content is asked of its stream, so that a phrase is found however it is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from .normalize import clean
from .tokens import tokens

_SCHEMA_KEY = re.compile(r"[A-Za-z][A-Za-z_]*")
_KEPT = 64 * 1024
"""Characters: longer texts are not kept in the cache below."""


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
