"""Reads and writes the wire format: one JSON object a line for each artifact (design, section 9).

A line is checked by itself here; the loader compares it with other lines and with the graph. A line of an export may
say its `version`; one whose `state` is not `visible` is history, which is read by people and never loaded.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from .artifact import Arch, Artifact, Draft, Kind, Source
from .content import as_content, as_json, content_hash
from .contract import check_tool_name, read_contract
from .names import check_name
from .numbers import as_figure

FIELDS = frozenset(
    "key kind arch content blob influenced_by semantic operator recipe value cost metadata tool embedding".split()  # noqa: SIM905
)
STATES = frozenset({"visible", "withdrawn", "retired", "erased"})
"""What `state` of a line may be; without it a line is of what is in service."""


@dataclass(frozen=True, slots=True)
class Line:
    """A checked line: the artifact to be, and the keys it is near in meaning to, each with a score."""

    number: int
    draft: Draft
    near: tuple[tuple[str, float], ...]


def read_line(data: str | bytes | dict[str, Any], number: int) -> Line | None:
    """Check one line, None for one of history; raises `BadInput` that names the line, the field and the reason."""
    where = f"line {number}"
    if isinstance(data, str | bytes):
        try:
            data = json.loads(data, object_pairs_hook=_require_unique_names)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{where}: is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise BadInput(f"{where}: is a JSON {type(data).__name__}, not an object")
    unknown = next((field for field in data if field not in FIELDS and field not in ("state", "version")), None)
    if unknown is not None:
        raise BadInput(f"{where}: unknown field {unknown!r}; known are {', '.join(sorted(FIELDS))}")
    state = data.get("state", "visible")
    if not isinstance(state, str) or state not in STATES:
        raise BadInput(f"{where}: state is one of {', '.join(sorted(STATES))}, not {state!r:.100}")
    if state != "visible":
        return None
    if "content" not in data:
        raise BadInput(f"{where}: has no content")
    try:
        sources = Source.all_of(_require_list(data, "influenced_by"))
        near = tuple(_read_nearness(entry) for entry in _require_list(data, "semantic"))
        blob = None if data.get("blob") is None else _read_blob(data["blob"])
        plain = {name: value for name, value in data.items() if name in FIELDS - {"influenced_by", "semantic", "blob"}}
        draft = new_draft(**plain, blob=blob, sources=sources)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from error
    if any(source.ref == draft.key for source in sources):
        raise BadInput(f"{where}: {draft.key} names itself as a source")
    if any(key == draft.key for key, _ in near):
        raise BadInput(f"{where}: {draft.key} names itself as near in meaning")
    return Line(number, draft, near)


def write_line(
    artifact: Artifact,
    sources: Iterable[dict[str, Any]],
    near: Iterable[dict[str, Any]],
    *,
    history: bool,
    embeddings: bool,
) -> dict[str, Any]:
    """Return the line of a version, the fields that it has in their order.

    `sources` hold key, role and required, `near` key and score. With `history` it says version and state too.
    """
    state = "erased" if artifact.content is None else str(artifact.state).lower()
    fields: dict[str, Any] = {
        "key": artifact.key,
        **({"version": artifact.version, "state": state} if history else {}),
        "kind": str(artifact.kind),
        "arch": None if artifact.arch is None else str(artifact.arch),
        "tool": artifact.tool,
        "content": artifact.content,
        "blob": None if artifact.blob is None else base64.b64encode(artifact.blob).decode("ascii"),
        "influenced_by": [_write_source(source) for source in sources] or None,
        "operator": artifact.operator,
        "recipe": artifact.recipe,
        "value": artifact.value,
        "cost": artifact.cost,
        "metadata": artifact.metadata,
        "semantic": [{"key": other["key"], "score": float(other["score"])} for other in near] or None,
        "embedding": None if artifact.embedding is None or not embeddings else list(artifact.embedding),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _write_source(source: dict[str, Any]) -> str | dict[str, Any]:
    fields = {name: source[name] for name in ("key", "role", "required") if source[name] is not None}
    return str(source["key"]) if fields.keys() == {"key"} else fields


def _read_blob(text: Any) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (TypeError, ValueError) as error:
        raise BadInput(f"blob is bytes in Base64: {error}") from error


def new_draft(
    *,
    key: Any = None,
    kind: Any = None,
    content: Any,
    arch: Any = None,
    sources: tuple[Source, ...] = (),
    operator: Any = None,
    recipe: Any = None,
    value: Any = None,
    cost: Any = None,
    metadata: Any = None,
    tool: Any = None,
    embedding: Any = None,
    blob: bytes | None = None,
) -> Draft:
    """Check the fields of a new artifact; raises `BadInput` that names the field and the reason."""
    if not (isinstance(kind, str) and kind in set(Kind)):
        raise BadInput(f"kind is one of {', '.join(Kind)}, not {kind!r}")
    if arch is not None and not (isinstance(arch, str) and arch in set(Arch)):
        raise BadInput(f"arch is one of {', '.join(Arch)}, not {arch!r}")
    if blob is not None and not isinstance(blob, bytes):
        raise BadInput(f"blob is bytes, not {type(blob).__name__}")
    text = as_content(content)
    contract = None if tool is None else read_contract(text, f"contract of {tool}")
    draft = Draft.checked(
        {
            "key": key,
            "kind": kind,
            "arch": arch,
            "content": text,
            "blob": blob,
            "content_hash": content_hash(text, blob),
            "embedding": embedding,
            "operator": operator,
            "recipe": None if recipe is None else as_json(recipe, "recipe"),
            "value": value,
            "cost": cost,
            "metadata": None if metadata is None else as_json(metadata, "metadata"),
            "tool": tool,
            "sources": sources,
        }
    )
    if contract is not None:
        check_tool_name(contract, tool)
    return draft


def _require_list(data: dict[str, Any], field: str) -> list[Any]:
    value = data.get(field, [])
    if not isinstance(value, list):
        raise BadInput(f"{field} is a list, not {type(value).__name__}")
    return value


def _read_nearness(entry: Any) -> tuple[str, float]:
    if not (isinstance(entry, dict) and isinstance(entry.get("key"), str) and set(entry) <= {"key", "score"}):
        raise BadInput('semantic holds objects {"key", "score"}')
    try:
        return check_name(entry["key"]), as_figure(entry.get("score", 1.0))
    except ValueError as error:
        raise BadInput(f"semantic: {entry['key']!r}: key or score {error}") from error


def _require_unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raises ValueError where it has a name twice, and it is not known which value was meant."""
    parsed = dict(pairs)
    if len(parsed) < len(pairs):
        twice = next(name for index, (name, _) in enumerate(pairs) if name in dict(pairs[:index]))
        raise ValueError(f"an object has {twice!r} twice")
    return parsed
