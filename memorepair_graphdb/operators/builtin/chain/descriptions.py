"""Lists the parameters that a chain gives and that its contracts describe in other words now, for a person to judge.

A description decides nothing by itself: where it changes the unit, the base or the sense, the chain is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...contracts.renames import renames
from ...contracts.schemas import Schema, parameters, properties
from ...contracts.senses import text_of
from .names import function_names
from .parsing import tool_calls, tree_of
from .recipe import ChainSkill


def changed_descriptions(source: str, skill: ChainSkill) -> tuple[str, ...]:
    """Return `tool.parameter`, in their order, for each one that the former source gives and that reads otherwise."""
    return tuple(dict.fromkeys(_changed(source, skill)))


def _changed(source: str, skill: ChainSkill) -> Iterator[str]:
    for call in tool_calls(tree_of(source), function_names(skill.old)):
        if call.tool not in skill.successors:
            continue
        tool = skill.successors[call.tool]
        old, new = (properties(parameters(contract)) for contract in (skill.old[call.tool], skill.new[tool]))
        for name in old if call.dynamic else call.arguments:
            if _reads_otherwise(name, old, new):
                yield f"{tool}.{renames(old, new).get(name, name)}"


def _reads_otherwise(name: str, old: Mapping[str, Schema], new: Mapping[str, Schema]) -> bool:
    now = renames(old, new).get(name, name)
    return name in old and now in new and text_of(old[name]) != text_of(new[now])
