"""The oracle's worlds as lines of the wire format.

A world is laid down by the public loader, and by nothing else.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.harness.fake_operators import word

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.oracle.graphs import World


def contract(tool: str, *about: Any) -> str:
    """A contract as it is stored."""
    described = {"name": tool, "description": word(*about), "inputSchema": {"type": "object"}}
    return json.dumps(described, sort_keys=True, separators=(",", ":"))


def lines_of(
    world: World, content: Callable[[str], str], vector: Callable[[str], list[float]] | None = None
) -> list[dict[str, Any]]:
    """One line for each artifact; `content` gives its text by key, `vector` the embedding of a text."""
    sources: dict[str, list[dict[str, Any]]] = {}
    for target, source in world.edges:
        named = {"key": source.key, "role": source.role, "required": source.required}
        sources.setdefault(target, []).append(named)
    return [
        {
            "key": spec.key,
            "kind": spec.kind,
            "arch": spec.arch,
            "content": content(spec.key),
            "operator": spec.operator,
            "value": spec.value,
            "cost": spec.cost,
            "tool": spec.tool,
            "embedding": vector(content(spec.key)) if spec.embedded and vector is not None else None,
            "influenced_by": sources.get(spec.key, []),
        }
        for spec in world.artifacts
    ]
