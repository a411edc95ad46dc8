"""Holds artifacts: each is one immutable version of a durable memory item, with how it was made.

Field names equal the properties in the graph (design, section 3).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import StrictBool, StrictBytes, model_validator

from ..errors import BadInput
from .frozen import Frozen
from .names import Key, Name, Text
from .numbers import Embedding, Figure

if TYPE_CHECKING:
    from .arguments import SourceLike


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


Required = StrictBool | Literal["any"] | None
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
    faults: tuple[str, ...] = ()
    """what is stored and is no value of its property: left out above; such an artifact is not rebuilt"""

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
    def of(cls, source: SourceLike) -> Source:
        """Accept an artifact (its id), an id or key, or the wire form `{"key": …, "role": …, "required": …}`."""
        if isinstance(source, Source):
            return source
        if isinstance(source, Artifact):
            return cls(ref=source.id)
        if isinstance(source, str):
            return cls.checked({"ref": source}, "source")
        if not isinstance(source, dict) or "key" not in source or "ref" in source:
            raise BadInput(
                f'a source is an artifact, an id, a key or {{"key", "role", "required"}}, not {source!r:.100}'
            )
        return cls.checked({"ref" if name == "key" else name: value for name, value in source.items()}, "source")

    @classmethod
    def all_of(cls, sources: Any) -> tuple[Source, ...]:
        """Accept several, or one; one named twice counts once, and raises `BadInput` where it contradicts itself."""
        if isinstance(sources, Source | Artifact | str | dict):
            sources = (sources,)
        try:
            unique = dict.fromkeys(cls.of(source) for source in sources)
        except TypeError as error:
            raise BadInput(f"sources are a list: {error}") from error
        by_name: dict[tuple[str, str | None], Source] = {}
        for source in unique:
            other = by_name.setdefault((source.ref, source.role), source)
            if other != source:
                raise BadInput(f"source {source.ref} is required: {source.required} and required: {other.required}")
        return tuple(unique)


class Draft(Frozen):
    """A new artifact as its caller gives it, checked, before it has an id."""

    key: Key
    kind: Kind
    arch: Arch | None = None
    content: str
    blob: StrictBytes | None = None
    content_hash: str
    embedding: Embedding | None = None
    operator: Name | None = None
    recipe: Text | None = None
    value: Figure | None = None
    cost: Figure | None = None
    metadata: Text | None = None
    tool: Name | None = None
    sources: tuple[Source, ...] = ()

    @model_validator(mode="after")
    def _check_arch_and_tool(self) -> Self:
        if (self.kind is Kind.SKILL) != (self.arch is not None):
            raise ValueError("arch (neural, prompt or chain) belongs to a skill, and a skill needs it")
        if self.tool is not None and self.kind is not Kind.RECORD:
            raise ValueError("tool marks a record that is a tool's contract; this is no record")
        return self
