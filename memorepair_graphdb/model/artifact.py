"""An artifact: one immutable version of a durable memory item, and how it was made.

The law of the room: field names equal the properties in the graph (design, section 3).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from math import isfinite
from typing import Any, Literal, Self

from pydantic import field_validator, model_validator

from .frozen import Frozen
from .identity import Name, Text


class Kind(StrEnum):
    """What an artifact is."""

    RECORD = "record"
    CACHE = "cache"
    SUMMARY = "summary"
    SKILL = "skill"


class Arch(StrEnum):
    """How a skill is built."""

    NEURAL = "neural"
    PROMPT = "prompt"
    CHAIN = "chain"


class State(StrEnum):
    """The state label: exactly one on every artifact."""

    VISIBLE = "Visible"
    WITHDRAWN = "Withdrawn"
    STAGED = "Staged"
    RETIRED = "Retired"


Required = bool | Literal["any"] | None
"""Whether a source must be there: yes, no, at least one of its role, or (None) what the operator declares."""


class Artifact(Frozen):
    """One version of a memory item, as read from the graph."""

    id: str
    key: str
    space: str
    version: int | None = None
    kind: Kind
    arch: Arch | None = None
    state: State
    content: str | None = None
    blob: bytes | None = None
    content_hash: str | None = None
    embedding: tuple[float, ...] | None = None
    operator: str | None = None
    recipe: Any = None
    value: float | None = None
    cost: float | None = None
    created_at: datetime
    published_at: datetime | None = None
    metadata: Any = None
    tool: str | None = None
    held_by: int = 0

    @property
    def visible(self) -> bool:
        """Whether it is in service."""
        return self.state is State.VISIBLE


class Source(Frozen):
    """What an artifact was produced from: an artifact's id (the version that was read) or a key."""

    ref: Name
    role: Name | None = None
    required: Required = None

    @classmethod
    def of(cls, source: Source | Artifact | str | dict[str, Any]) -> Source:
        """Accept an artifact (its id), an id or key, or the wire form `{"key": …, "role": …, "required": …}`."""
        if isinstance(source, Source):
            return source
        if isinstance(source, Artifact):
            return cls(ref=source.id)
        if isinstance(source, str):
            return cls.checked({"ref": source}, "source")
        data = dict(source)
        if "key" in data:
            data["ref"] = data.pop("key")
        return cls.checked(data, "source")


class Draft(Frozen):
    """What a caller says of a new artifact, before it has an id."""

    key: Name
    kind: Kind
    arch: Arch | None = None
    content: str
    blob: bytes | None = None
    content_hash: str
    embedding: tuple[float, ...] | None = None
    operator: Name | None = None
    recipe: Text | None = None
    value: float | None = None
    cost: float | None = None
    metadata: Text | None = None
    tool: Name | None = None
    sources: tuple[Source, ...] = ()

    @field_validator("value", "cost")
    @classmethod
    def _not_negative(cls, figure: float | None) -> float | None:
        if figure is not None and not (isfinite(figure) and figure >= 0):
            raise ValueError("is negative or not finite")
        return figure

    @field_validator("embedding")
    @classmethod
    def _finite(cls, vector: tuple[float, ...] | None) -> tuple[float, ...] | None:
        if vector is not None and not (vector and all(isfinite(part) for part in vector) and any(vector)):
            raise ValueError("is empty, all zero, or holds NaN or an infinity")
        return vector

    @model_validator(mode="after")
    def _arch_is_a_skills(self) -> Self:
        if (self.kind is Kind.SKILL) != (self.arch is not None):
            raise ValueError("arch (neural, prompt or chain) belongs to a skill, and a skill needs it")
        if self.tool is not None and self.kind is not Kind.RECORD:
            raise ValueError("tool marks a record that is a tool's contract; this is no record")
        return self
