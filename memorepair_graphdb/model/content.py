"""Content as it is stored: text as it came, anything else as canonical JSON; and its hash.

The law of the room: equal content has equal text and an equal hash, on every machine.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from ..errors import BadInput
from .identity import check_text

CONTENT_BYTES = 16 * 1024 * 1024
"""The largest content, in UTF-8 bytes."""


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spare white space; NaN, infinities and what is no JSON raise `BadInput`."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"content is neither text nor JSON: {error}") from error


def as_content(value: Any) -> str:
    """The stored form of a content: a str unchanged, bytes refused, all else as canonical JSON."""
    text = value if isinstance(value, str) else canonical_json(value)
    try:
        check_text(text)
    except ValueError as error:
        raise BadInput(f"content {error}") from error
    size = len(text.encode("utf-8"))
    if size > CONTENT_BYTES:
        raise BadInput(f"content has {size} bytes; the most is {CONTENT_BYTES} (16 MiB): store a reference instead")
    return text


def content_hash(text: str, blob: bytes | None = None) -> str:
    """SHA-256, hex, of the stored text, and of the blob where there is one."""
    digest = hashlib.sha256(text.encode("utf-8"))
    if blob is not None:
        digest.update(b"\x00blob\x00")
        digest.update(hashlib.sha256(blob).digest())
    return digest.hexdigest()


def keyed_hash(key: bytes, plain_hash: str) -> str:
    """HMAC-SHA-256, hex, of a content hash: what a tombstone keeps, useless without the space's key."""
    return hmac.new(key, plain_hash.encode("ascii"), hashlib.sha256).hexdigest()
