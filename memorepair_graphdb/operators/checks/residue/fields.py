"""Names every field of an artifact in service that a reader can see as text.

Whatever looks for residue takes its fields from here; a contract test compares the names with the properties that the
graph holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ....model.content import canonical_json

READABLE = ("key", "content", "blob", "metadata", "recipe", "role")
"""properties of an artifact, and the roles of its sources, that hold text of its writer's"""
FROM_ELSEWHERE = ("content_hash", "embedding", "kind", "arch", "operator", "value", "cost", "tool", "search_text")
"""properties that hold none: made from the content, of a fixed vocabulary, or figures; only a contract has a tool"""


@dataclass(frozen=True, slots=True)
class ReadableFields:
    """What a reader of one artifact sees; a field that is empty or None holds nothing."""

    key: str = ""
    content: str = ""
    blob: bytes | None = None
    metadata: Any = None
    """parsed JSON"""
    recipe: Any = None
    """parsed JSON"""
    roles: tuple[str, ...] = ()

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield (field, text): JSON in canonical form; a blob only where it is UTF-8 text."""
        yield "key", self.key
        yield "content", self.content
        if self.blob is not None and (text := _as_text(self.blob)):
            yield "blob", text
        for field, value in (("metadata", self.metadata), ("recipe", self.recipe)):
            if value is not None:
                yield field, canonical_json(value)
        for role in self.roles:
            yield "role", role


def _as_text(blob: bytes) -> str:
    try:
        return blob.decode("utf-8")
    except UnicodeDecodeError:
        return ""
