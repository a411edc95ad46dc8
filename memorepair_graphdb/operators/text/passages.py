"""Reads the texts that a content holds, whether it is text or JSON, as passages and as one stream of tokens.

A phrase is searched in the stream, so that it is found however it is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from .normalize import clean
from .tokens import tokens

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SCHEMA_KEY = re.compile(r"[A-Za-z][A-Za-z_]*")
CACHED_LENGTH = 64 * 1024
"""characters; longer contents are not cached"""


def passages(content: str, every_key: bool = False) -> tuple[str, ...]:
    """Return the texts that a content holds: itself, or where it is a JSON object or array its leaves and telling keys.

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


@lru_cache(maxsize=1024)
def schema_keys(content: str) -> tuple[str, ...]:
    """Return the keys of a JSON content that `passages` leaves out: each looks like a word of a schema, once."""
    if content[:1] not in ("{", "["):
        return ()
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return ()
    return tuple(dict.fromkeys(key for key in _keys(data) if _SCHEMA_KEY.fullmatch(key)))


def in_words(key: str) -> str:
    """Return a key such as `customerName` or `customer_name` as words."""
    return _HUMP.sub(" ", key).replace("_", " ")


def stream(content: str) -> str:
    """Return all tokens of a content and its keys, between single spaces and within two; a bar parts the passages."""
    return _stream(content) if len(content) > CACHED_LENGTH else _cached_stream(content)


def phrase(text: str) -> str:
    """Return the tokens of a phrase as `stream` writes them, so that `phrase(p) in stream(content)` searches for p."""
    return f" {' '.join(tokens(clean(text)))} "


def _stream(content: str) -> str:
    return f" {' | '.join(' '.join(tokens(clean(passage))) for passage in passages(content, True))} "


_cached_stream = lru_cache(maxsize=1024)(_stream)


def _leaves(data: Any, every_key: bool) -> Iterator[str]:
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            for key in reversed(value):
                stack.append(value[key])
                if every_key or not _SCHEMA_KEY.fullmatch(key):
                    stack.append(key)
        elif isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, str):
            yield value
        elif value is not None and not isinstance(value, bool):
            yield json.dumps(value)


def _keys(data: Any) -> Iterator[str]:
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            yield from value
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
