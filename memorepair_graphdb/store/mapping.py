"""Turns nodes of the graph into frozen values, and drafts into the parameters of statements.

Plain Cypher can write anything into a node. A reader does not fail at that: what is no value of its property is left
out of the artifact, and `Artifact.faults` names it. For statements the block `artifact_fault` does the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

from neo4j.time import DateTime

from ..model.artifact import Arch, Artifact, Draft, Kind, Source, State
from ..model.tombstone import tombstone_fields

if TYPE_CHECKING:
    from neo4j.graph import Node

_Choice = TypeVar("_Choice", bound=StrEnum)

_LIVE = frozenset({State.VISIBLE, State.WITHDRAWN})
_NEVER = datetime.fromtimestamp(0, UTC)
"""When an artifact was created of which nothing says when."""


def artifact_of(node: Node) -> Artifact:
    """Return one version of an artifact from its node, with the faults of what is stored."""
    stored = _Properties(node)
    labels = set(node.labels)
    state = next((state for state in State if state.value in labels), None)
    if state is None:
        stored.faults.append("has no state label")
    kind = stored.choice("kind", Kind)
    if kind is None and "kind" not in stored.wrong:
        stored.faults.append("has no kind")
    arch = stored.choice("arch", Arch)
    if kind is not None and "arch" not in stored.wrong and (kind is Kind.SKILL) != (arch is not None):
        stored.faults.append(f"is a {kind} with arch {arch or 'none'}")
    artifact = {
        "id": stored.text("id", needed=True),
        "key": stored.text("key", needed=True),
        "space": stored.text("space"),
        "version": stored.read("version", _is_whole, "a whole number", needed=state in _LIVE),
        "content": stored.text("content", needed=state in _LIVE),
        "blob": stored.read("blob", lambda value: isinstance(value, bytes | bytearray), "bytes"),
        "content_hash": stored.text("content_hash", needed=state in _LIVE),
        "embedding": stored.read("embedding", _is_vector, "a list of numbers"),
        "operator": stored.text("operator"),
        "recipe": stored.json("recipe"),
        "metadata": stored.json("metadata"),
        "value": stored.read("value", _is_figure, "a finite number of 0 or more"),
        "cost": stored.read("cost", _is_figure, "a finite number of 0 or more"),
        "created_at": stored.time("created_at", needed=True),
        "published_at": stored.time("published_at"),
        "tool": stored.text("tool"),
        "held_by": stored.read("held_by", _is_whole, "a whole number", needed=True),
    }
    return Artifact(
        **{
            **artifact,
            "id": artifact["id"] or "",
            "key": artifact["key"] or "",
            "space": artifact["space"] or "",
            "embedding": tuple(artifact["embedding"]) if artifact["embedding"] else None,
            "created_at": artifact["created_at"] or _NEVER,
            "held_by": artifact["held_by"] or 0,
        },
        kind=kind or Kind.RECORD,
        arch=arch,
        state=state or State.RETIRED,
        faults=tuple(stored.faults),
    )


class _Properties:
    """The properties of a node, read one by one; keeps what was no value of its property."""

    def __init__(self, node: Mapping[str, Any]) -> None:
        self._node = node
        self.faults: list[str] = []
        self.wrong: set[str] = set()

    def read(self, name: str, fits: Callable[[Any], bool], type_: str, *, needed: bool = False) -> Any:
        """Return a property, None where it is absent or does not fit."""
        value = self._node.get(name)
        if value is None:
            if needed:
                self.faults.append(f"has no {name}")
            return None
        if fits(value):
            return value
        self.wrong.add(name)
        self.faults.append(f"has {name} {_shorten(value)}, which is not {type_}")
        return None

    def text(self, name: str, *, needed: bool = False) -> Any:
        """Return a property that is a text."""
        return self.read(name, lambda value: isinstance(value, str), "a text", needed=needed)

    def choice(self, name: str, choices: type[_Choice]) -> _Choice | None:
        """Return a property that is one of an enumeration's texts."""
        all_ = frozenset(map(str, choices))
        value = self.read(name, lambda value: isinstance(value, str) and value in all_, f"of {', '.join(choices)}")
        return None if value is None else choices(value)

    def json(self, name: str) -> Any:
        """Return a property that is a text of JSON, parsed; the text where it is not."""
        text = self.text(name)
        if fault := json_fault(name, text):
            self.faults.append(fault)
        return parse_json(text)

    def time(self, name: str, *, needed: bool = False) -> datetime | None:
        """Return a property that is a time with its zone."""
        value = self.read(name, _is_time, "a time with its zone", needed=needed)
        return value.to_native() if value is not None else None


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_figure(value: Any) -> bool:
    return _is_number(value) and isfinite(value) and value >= 0


def _is_vector(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


def _is_time(value: Any) -> bool:
    return isinstance(value, DateTime) and value.tzinfo is not None


def _shorten(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def parse_json(text: str | None) -> Any:
    """Return stored JSON, parsed; text that is no JSON (written by hand in Cypher) as it is; None for None."""
    if text is None:
        return None
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text


def json_fault(name: str, text: str | None) -> str:
    """Say that a property is no JSON; empty where it is, and where there is none."""
    if text is None:
        return ""
    try:
        json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return f"has a {name} that is no JSON"
    return ""


def json_faults(ids: Iterable[str], recipes: Iterable[str], metadata: Iterable[str]) -> dict[str, str]:
    """Return, by id, what is wrong with the recipes and metadata of some artifacts; an empty text is none."""
    named = {
        id_: json_fault("recipe", recipe or None) or json_fault("metadata", about or None)
        for id_, recipe, about in zip(ids, recipes, metadata, strict=True)
    }
    return {id_: fault for id_, fault in named.items() if fault}


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def draft_map(draft: Draft, id_: str, tombstone_key: bytes) -> dict[str, Any]:
    """Return the `draft` parameter of record, derive and load: every field of the draft but its sources."""
    properties = {name: _as_property(value) for name, value in draft if name != "sources"}
    return {**properties, "id": id_, **tombstone_fields(draft.content, draft.content_hash, tombstone_key)}


def _as_property(value: Any) -> Any:
    """Return a field's value as the driver takes it: a plain text for an enumeration's, a list for a tuple."""
    if isinstance(value, StrEnum):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def source_map(source: Source) -> dict[str, Any]:
    """Return one member of the `sources` parameter."""
    return {"ref": source.ref, "role": source.role, "required": source.required}
