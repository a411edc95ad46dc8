"""Turns content into the form that is stored: text as it came, anything else as canonical JSON; and hashes it.

Equal content has equal text and an equal hash on every machine, and nothing is changed to fit.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from ..errors import BadInput
from .names import check_text

CONTENT_BYTES = 16 * 1024 * 1024
"""The largest content, recipe or metadata, in UTF-8 bytes."""

JSON_DEPTH = 200
"""The deepest nesting: what is stored can be read back by every JSON parser, from within any call."""


def canonical_json(value: Any, what: str = "content") -> str:
    """Return JSON with sorted keys and no spare white space; NaN, infinities and what is no JSON raise `BadInput`."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"{what} is neither text nor JSON: {error}") from error


def as_content(value: Any) -> str:
    """Return the stored form of a content: a str unchanged, None and bytes refused, all else as canonical JSON."""
    if value is None:
        raise BadInput("content is None: give a text, or a JSON value that says something")
    return _require_storable(value, "content") if isinstance(value, str) else as_json(value, "content")


def as_json(value: Any, what: str) -> str:
    """Return outside data as canonical JSON that reads back equal; raises `BadInput` that names `what` otherwise."""
    _check_structure(value, what)
    return _require_storable(canonical_json(value, what), what)


def same_json(one: str, other: str) -> bool:
    """Return whether two contents are the same JSON object or list, however their members are ordered and spaced."""
    if one[:1].strip() not in ("", "{", "[") or other[:1].strip() not in ("", "{", "["):
        return False
    try:
        parsed = [json.loads(text, object_pairs_hook=_refuse_doubles) for text in (one, other)]
        return all(isinstance(value, dict | list) for value in parsed) and (
            canonical_json(parsed[0]) == canonical_json(parsed[1])
        )
    except (ValueError, RecursionError, BadInput):
        return False


def _refuse_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name stands twice: it is not known which value is meant")
    return members


def content_hash(text: str, blob: bytes | None = None) -> str:
    """Return SHA-256, hex, of the stored text, and of the blob where there is one."""
    digest = hashlib.sha256(text.encode("utf-8"))
    if blob is not None:
        digest.update(b"\x00blob\x00")
        digest.update(hashlib.sha256(blob).digest())
    return digest.hexdigest()


def keyed_hash(key: bytes, plain_hash: str) -> str:
    """Return HMAC-SHA-256, hex, of a content hash: what a tombstone keeps, useless without the space's key."""
    return hmac.new(key, plain_hash.encode("ascii"), hashlib.sha256).hexdigest()


def _require_storable(text: str, what: str) -> str:
    try:
        check_text(text)
    except ValueError as error:
        raise BadInput(f"{what} {error}") from error
    size = len(text.encode("utf-8"))
    if size > CONTENT_BYTES:
        raise BadInput(f"{what} has {size} bytes; the most is {CONTENT_BYTES} (16 MiB): store a reference instead")
    return text


def _check_structure(value: Any, what: str) -> None:
    """Refuse what `json.dumps` would take and change (keys that are no text), or nest too deep to be read back."""
    level = [value]
    for _ in range(JSON_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                odd = next((key for key in item if not isinstance(key, str)), None)
                if odd is not None:
                    raise BadInput(f"{what} has the key {odd!r}: the keys of a JSON object are texts")
                inner += [member for member in item.values() if isinstance(member, dict | list | tuple)]
            elif isinstance(item, list | tuple):
                inner += [member for member in item if isinstance(member, dict | list | tuple)]
        if not inner:
            return
        level = inner
    raise BadInput(f"{what} is nested more than {JSON_DEPTH} levels deep, or contains itself")
