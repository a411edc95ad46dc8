"""Says which tool in force stands in the place of another: itself, or the only one whose contract replaces it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

REPLACES = "x-replaces"
"""On a contract: the tool, or a list of tools, whose place it takes; on a parameter: the name it had."""


def successors(tools: Iterable[str], contracts: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return tool → the tool in force that stands in its place; one that is gone, or that two replace, is not in it.

    `contracts` are those in force, by tool. They are read only where a tool is gone.
    """
    wanted = set(tools)
    found = {tool: tool for tool in wanted if tool in contracts}
    gone = wanted - found.keys()
    if not gone:
        return found
    claims: dict[str, list[str]] = {}
    for tool, contract in contracts.items():
        for former in replaced_by(contract):
            claims.setdefault(former, []).append(tool)
    return found | {former: claims[former][0] for former in gone if len(claims.get(former, ())) == 1}


def replaced_by(contract: Mapping[str, Any]) -> frozenset[str]:
    """Return the tools whose place a contract says that its tool takes."""
    names = contract.get(REPLACES)
    listed = names if isinstance(names, list) else [names]
    return frozenset(name for name in listed if isinstance(name, str))
