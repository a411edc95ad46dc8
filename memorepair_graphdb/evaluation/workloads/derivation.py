"""Makes the lines of a memory whose derived contents come from the operators that would rebuild them.

A derived content is what its operator makes of its sources, so that a repair without a change changes nothing; what
was made from something synthetic is marked as synthetic too.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from typing import Any, Literal

from ...model.artifact import Arch, Kind
from ...model.content import as_content
from ...operators.protocol.context import Context, Interfaces, LiveSource
from ...operators.protocol.payload import settle
from ...operators.protocol.registry import Registry

Line = dict[str, Any]
"""One artifact in the wire format (design, section 9)."""


def source(key: str, role: str, required: Literal[True, "any"] | None = None) -> Line:
    """Return one entry of `influenced_by`; without `required` the operator's declaration holds."""
    entry: Line = {"key": key, "role": role}
    if required is not None:
        entry["required"] = required
    return entry


FIELDS = ("key", "kind", "arch", "content", "influenced_by", "operator", "recipe", "metadata", "tool")
"""A line's fields, in the order in which it has them."""


class Workbench:
    """Finishes lines one after the other, parents first: contents from operators, and the synthetic mark."""

    def __init__(self, registry: Registry | None = None) -> None:
        self._registry = Registry.default() if registry is None else registry
        self._made: dict[str, LiveSource] = {}
        self._contracts: dict[str, tuple[str, str]] = {}

    def finish(self, line: Line) -> Line:
        """Return the line with its content, and marked where one of its sources is.

        A KeyError names a source not seen yet.
        """
        supports = [(self._made[entry["key"]], entry.get("role")) for entry in line.get("influenced_by", ())]
        if "content" not in line:
            line["content"] = self._derived(line, supports)
        if any((support.metadata or {}).get("synthetic") for support, _ in supports):
            line.setdefault("metadata", {})["synthetic"] = True
        content = as_content(line["content"])
        self._made[line["key"]] = LiveSource(line["key"], None, Kind(line["kind"]), content, None, line.get("metadata"))
        if "tool" in line:
            self._contracts[line["tool"]] = (line["key"], content)
        return {field: line[field] for field in FIELDS if field in line}

    def _derived(self, line: Line, supports: list[tuple[LiveSource, str | None]]) -> str:
        operator = self._registry.find(line["operator"])
        if operator is None:
            raise LookupError(f"{line['key']} has no content and names the unknown operator {line['operator']}")
        live = (
            LiveSource(support.key, role, support.kind, support.content, None, support.metadata)
            for support, role in supports
        )
        context = Context(
            key=line["key"],
            kind=Kind(line["kind"]),
            arch=Arch(line["arch"]) if "arch" in line else None,
            recipe=line["recipe"],
            interfaces=Interfaces(self._contracts),
            supports=tuple(sorted(live, key=lambda each: each.key)),
        )
        made = operator.run(context)
        return settle(asyncio.run(_awaited(made)) if inspect.isawaitable(made) else made).content


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value
