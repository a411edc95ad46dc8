"""Reads the rows that a selector rests on, and the tools that they name.

A row is a live source in the role `request`; its id is its key, its digest a hash of what it says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .....errors import OperatorError
from .....model.content import canonical_json
from ....protocol.context import CHARACTERS_PER_TOKEN, Context, LiveSource

ROLE = "request"


class TrainingRow(NamedTuple):
    """A request and the tools that answer it."""

    id: str
    """key of the source"""
    text: str
    tools: tuple[str, ...]
    """sorted, each once, at least one"""
    digest: str
    """SHA-256, hex, of what the source says: a corrected text or label has another"""


def rows_of(context: Context) -> tuple[TrainingRow, ...]:
    """Return the rows in service, in the order of their keys; a request that names no tool trains nothing and is none.

    A source's content is `{"query": …, "tool": …}` (or `"tools": […]`), or the query alone with `tool` or `tools` in
    its metadata. Raises `OperatorError` for a label that is no text.
    """
    rows = (_row(source) for source in context.by_role(ROLE))
    return tuple(row for row in rows if row.tools)


def labelled(id_: str, text: str, tools: tuple[str, ...]) -> TrainingRow:
    """Return a row, with the digest of its text and tools."""
    return TrainingRow(id_, text, tools, hashlib.sha256(canonical_json([text, tools]).encode()).hexdigest())


def tokens_to_read(context: Context, wanted: Callable[[str], bool] = lambda row: True) -> float:
    """Return tokens of the rows in service whose id is wanted, at least 1: what an estimate starts from."""
    characters = (source.characters for source in context.by_role(ROLE) if wanted(source.key))
    return max(1.0, sum(characters) / CHARACTERS_PER_TOKEN)


def unchanged(rows: Iterable[TrainingRow], known: Mapping[str, str] | None) -> tuple[TrainingRow, ...]:
    """Return the rows that stand in `known`, id → digest, as they are now: what was trained on and stays."""
    return tuple(row for row in rows if (known or {}).get(row.id) == row.digest)


def classes_of(tools: Iterable[str], interfaces: Mapping[str, dict[str, Any]], bound: bool) -> dict[str, str]:
    """Return tool → the class it stands for.

    Where `bound`, a tool without a contract in force has none, and the others go by the name in their contract
    (reading it is an influence, so that a later migration reaches the skill); else every tool is its own class.
    """
    named = sorted(set(tools))
    if not bound:
        return {tool: tool for tool in named}
    return {tool: str(interfaces[tool].get("name") or tool) for tool in named if tool in interfaces}


def offered(rows: Iterable[TrainingRow], classes: Mapping[str, str]) -> tuple[TrainingRow, ...]:
    """Return the rows with the tools that have a class; those left with none are out. Digests stay."""
    bound_rows = (row._replace(tools=tuple(tool for tool in row.tools if tool in classes)) for row in rows)
    return tuple(row for row in bound_rows if row.tools)


def _row(source: LiveSource) -> TrainingRow:
    data, labels = source.data, source.metadata if isinstance(source.metadata, dict) else {}
    if not isinstance(data, dict) or not isinstance(data.get("query"), str):
        return labelled(source.key, source.content, _tools(source.key, labels))
    return labelled(source.key, data["query"], _tools(source.key, data) or _tools(source.key, labels))


def _tools(key: str, labels: Mapping[str, Any]) -> tuple[str, ...]:
    named = labels.get("tools", labels.get("tool")) or []
    listed = [named] if isinstance(named, str) else named
    if not isinstance(listed, list) or not all(isinstance(tool, str) and tool for tool in listed):
        raise OperatorError(f"the tools of the row {key} are a name or a list of names, not {str(named)[:60]!r}")
    return tuple(sorted(set(listed)))
