"""Tells what a note's tools and parameters were called before, and whether a text still goes by it.

A name counts as used where it is written as a name; a plain word counts only where something
beside it says that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....model.content import canonical_json
from ...protocol.context import Context
from .blocks import blocks_of
from .writing import NoteRecipe, names_of, one_line, tools_of

_TELLING = re.compile(r"[_\-./\d]|(?<=[a-z])[A-Z]")
"""What no plain word has inside."""
_KIND = r"(?:parameter|argument|option|field|flag|tool)s?"


def former_names(context: Context) -> frozenset[str]:
    """Return the names that the old contracts had and those in force do not even mention.

    Old are the recipe's `contracts`, and what the text that is to be succeeded names, in backticks or in its examples.
    """
    recorded = context.recipe_as(NoteRecipe).contracts
    contracts = (
        [contract for contract in recorded.values() if isinstance(contract, dict)] if isinstance(recorded, dict) else []
    )
    former = names_of(contracts)
    if context.previous is not None:
        read = blocks_of(context.previous)
        former |= read.names
        for call in read.calls:
            arguments = call.get("arguments")
            former |= {one_line(name) for name in arguments} if isinstance(arguments, dict) else set()
    in_force = [context.interfaces[tool] for tool in tools_of(context) if tool in context.interfaces]
    known = names_of(in_force).union(map(one_line, context.interfaces))
    text = "\n".join(map(canonical_json, in_force))
    return frozenset(name for name in former - known if name and not _stands(name, text))


def used(names: Iterable[str], text: str) -> list[str]:
    """Return those of the names that a text uses, sorted."""
    return sorted(name for name in names if _used(name, text))


def _used(name: str, text: str) -> bool:
    if _TELLING.search(name):
        return _stands(name, text)
    word = re.escape(name)
    ways = (rf"[`\"']{word}[`\"']", rf"\b{word}\s?[=:](?!//)", rf"\b{_KIND} {word}\b", rf"\b{word} {_KIND}\b")
    return any(re.search(way, text) for way in ways)


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", text) is not None
