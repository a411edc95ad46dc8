"""Reads the wire format: one JSON object a line for each artifact (design, section 9).

A line is checked by itself here; the loader compares it with other lines and with the graph.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from .artifact import Arch, Draft, Kind, Source
from .content import as_content, as_json, content_hash
from .contract import check_tool_name, read_contract
from .names import check_name
from .numbers import as_figure

FIELDS = frozenset(
    "key kind arch content influenced_by semantic operator recipe value cost metadata tool embedding".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Line:
    """A checked line: the artifact to be, and the keys it is near in meaning to, each with a score."""

    number: int
    draft: Draft
    near: tuple[tuple[str, float], ...]


def read_line(data: str | bytes | dict[str, Any], number: int) -> Line:
    """Check one line; raises `BadInput` that names the line, the field and the reason."""
    where = f"line {number}"
    if isinstance(data, str | bytes):
        try:
            data = json.loads(data, object_pairs_hook=_require_unique_names)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{where}: is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise BadInput(f"{where}: is a JSON {type(data).__name__}, not an object")
    unknown = next((field for field in data if field not in FIELDS), None)
    if unknown is not None:
        raise BadInput(f"{where}: unknown field {unknown!r}; known are {', '.join(sorted(FIELDS))}")
    if "content" not in data:
        raise BadInput(f"{where}: has no content")
    try:
        sources = Source.all_of(_require_list(data, "influenced_by"))
        near = tuple(_read_nearness(entry) for entry in _require_list(data, "semantic"))
        draft = new_draft(**{k: v for k, v in data.items() if k not in ("influenced_by", "semantic")}, sources=sources)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from error
    if any(source.ref == draft.key for source in sources):
        raise BadInput(f"{where}: {draft.key} names itself as a source")
    if any(key == draft.key for key, _ in near):
        raise BadInput(f"{where}: {draft.key} names itself as near in meaning")
    return Line(number, draft, near)


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
