"""Holds repair events e = (F, τ, Δ): requests to delete, correct or migrate (paper section 2.1).

What became of an event is in `report`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from ..errors import BadInput
from .content import as_content, as_json, canonical_json
from .contract import read_contract
from .criteria import Criteria
from .frozen import Frozen
from .names import Name, Text, new_event_id
from .vocabulary import EventType


class RepairEvent(Frozen):
    """Roots F (keys, or ids), type τ, and Δ: replacement contents by root, None where a contract is retired.

    A deletion may say instead of its roots what they have in common; they are fixed when it is withdrawn.

    `metadata`: of a correction, the new metadata (JSON) of some of its roots, None for none. A root that is not in it
    keeps those fields of its old metadata that say nothing of what the correction took out, and the report names the
    others.
    """

    id: Name = Field(default_factory=new_event_id)
    type: EventType
    roots: tuple[Name, ...] = ()
    criteria: Criteria | None = None
    replacements: dict[str, Text | None] = {}
    metadata: dict[str, Text | None] = {}
    reason: Text = ""
    actor: Text = ""

    @model_validator(mode="after")
    def _check_delta(self) -> Self:
        if self.criteria is not None and (self.criteria.empty or self.type is not EventType.DELETE):
            raise ValueError("criteria say something, and what meets them is deleted: nothing else can be done to it")
        if bool(self.roots) == (self.criteria is not None):
            raise ValueError("an event names its roots, at least one, or a deletion says what they have in common")
        if len(set(self.roots)) != len(self.roots):
            raise ValueError("a root is named twice")
        meaning = self.type.meaning
        expected = set(self.roots) if meaning.replaces_roots else set()
        if set(self.replacements) != expected:
            raise ValueError(f"{self.type}: each root, and nothing else, has its replacement")
        if not meaning.may_retire_roots and None in self.replacements.values():
            raise ValueError("a correction gives new content; to take something away, delete it")
        if self.metadata and self.type is not EventType.CORRECT:
            raise ValueError(f"a {self.type} event takes no metadata: a correction does")
        if stray := sorted(self.metadata.keys() - set(self.roots)):
            raise ValueError(f"metadata is for {stray[0]}, which is no root of the event")
        return self

    @classmethod
    def delete(
        cls,
        roots: Any = (),
        *,
        where: Any = None,
        prefix: str | None = None,
        reason: str = "",
        actor: str = "",
        id: str | None = None,
    ) -> Self:
        """Take roots (keys or ids) out of memory, with all that was derived from them.

        Or take what is in service or withdrawn, and has all of this in common: `where`, metadata path → value, such as
        `{"metadata.user": "17"}`; `prefix`, the beginning of its key. The withdrawal fixes what that is: all that was
        committed before it, and nothing after. Nothing at all is `NotFound`.
        """
        if not isinstance(roots, str | Iterable) or isinstance(roots, bytes | dict):
            raise BadInput(f"roots are keys or ids, not {type(roots).__name__}")
        refs = (roots,) if isinstance(roots, str) else tuple(roots)
        criteria = None if where is None and prefix is None else Criteria.read(prefix, where)
        return cls._make(EventType.DELETE, refs, {}, reason, actor, id, criteria=criteria)

    @classmethod
    def correct(
        cls,
        replacements: dict[str, Any],
        *,
        metadata: dict[str, Any] | None = None,
        reason: str = "",
        actor: str = "",
        id: str | None = None,
    ) -> Self:
        """Replace the content of roots; a str or JSON-able content each, and new `metadata` (JSON-able, None for none).

        A root whose content is equal to the new one is left in service, with all that rests on it.
        """
        texts = {root: as_content(content) for root, content in _require_mapping(replacements).items()}
        about = {
            root: None if value is None else as_json(value, f"metadata of {root}")
            for root, value in _require_mapping({} if metadata is None else metadata).items()
        }
        return cls._make(EventType.CORRECT, tuple(texts), texts, reason, actor, id, about)

    @classmethod
    def migrate(cls, contracts: dict[str, Any], *, reason: str = "", actor: str = "", id: str | None = None) -> Self:
        """Put new contracts in the place of old ones; None retires a tool."""
        texts: dict[str, str | None] = {}
        for root, contract in _require_mapping(contracts).items():
            texts[root] = None if contract is None else as_content(contract)
            if contract is not None:
                read_contract(texts[root] or "", f"contract for {root!r}")
        return cls._make(EventType.MIGRATE, tuple(texts), texts, reason, actor, id)

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read the event-file form: `{"type", "roots" | "replacements" | "contracts", "reason"?, "actor"?, "id"?}`.

        A correction may have `metadata` too; a deletion `where` and `prefix` instead of `roots`.
        """
        if not isinstance(data, dict):
            raise BadInput("an event file holds one JSON object")
        fields = {str(known): known.meaning.field for known in EventType}
        field = fields.get(str(data.get("type")))
        if field is None:
            raise BadInput(f"event type is one of {', '.join(fields)}, not {data.get('type')!r}")
        optional = {EventType.DELETE: {"where", "prefix"}, EventType.CORRECT: {"metadata"}}
        about = optional.get(EventType(data["type"]), set()) & set(data)
        extra = set(data) - {"type", field, "reason", "actor", "id"} - about
        selected = data["type"] == EventType.DELETE and bool(about)
        if (field not in data and not selected) or extra:
            raise BadInput(f"a {data['type']} event has {field!r} and may have reason, actor, id; not {sorted(extra)}")
        if EventType(data["type"]).meaning.replaces_roots and not isinstance(data[field], dict):
            raise BadInput(f"{field!r} is an object: root → new content")
        make = getattr(cls, str(data["type"]))
        more = {name: data[name] for name in sorted(about)}
        event: Self = make(
            data.get(field, ()), reason=data.get("reason", ""), actor=data.get("actor", ""), id=data.get("id"), **more
        )
        return event

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read an event file; raises `BadInput` when it is missing or wrong."""
        try:
            return cls.from_json(json.loads(Path(path).read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError) as error:
            if isinstance(error, BadInput):
                raise
            raise BadInput(f"cannot read the event in {path}: {error}") from error

    def tool_of(self, root: str) -> str | None:
        """Return the name that a root's new contract calls itself; None where it gets none."""
        content = self.contract_of(root)
        return None if content is None else read_contract(content).name

    def contract_of(self, root: str) -> str | None:
        """Return the text of a root's new contract; None where it gets none."""
        return self.replacements.get(root) if self.type.meaning.contract_roots else None

    @property
    def delta(self) -> str:
        """Δ as canonical JSON, kept on the event for the audit; criteria stand under the name that no key has."""
        if self.criteria is not None:
            return canonical_json({"": self.criteria.model_dump(mode="json")})
        return canonical_json(self.replacements)

    @classmethod
    def _make(
        cls,
        type_: EventType,
        roots: tuple[str, ...],
        texts: Any,
        reason: str,
        actor: str,
        id_: str | None,
        metadata: Any = None,
        criteria: Criteria | None = None,
    ) -> Self:
        data = {"type": type_, "roots": roots, "replacements": texts, "reason": reason, "actor": actor}
        data |= {"metadata": metadata or {}, "criteria": criteria}
        return cls.checked(data if id_ is None else {**data, "id": id_}, "event")


def _require_mapping(delta: Any) -> dict[str, Any]:
    if not isinstance(delta, dict):
        raise BadInput(f"what is new is given as root → content, not as {type(delta).__name__}")
    return delta
