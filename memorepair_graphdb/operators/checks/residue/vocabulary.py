"""Collects the words that contracts in force and a recipe have for JSON keys: those of a schema, and nobody's names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from pydantic import BaseModel

from ....model.content import canonical_json
from ...protocol.context import Interfaces
from ...protocol.recipe import Recipe
from ...text import clean, in_words, tokens


def vocabulary_of(interfaces: Mapping[str, dict[str, Any]], recipe: Any = None) -> frozenset[str]:
    """Return, case-folded, all keys and single words of the contracts and of the recipe, whole and in their words.

    No contract is read for it in the sense of an influence: the names alone are compared.
    """
    if isinstance(interfaces, Interfaces):
        texts = interfaces.texts
    else:
        texts = tuple(canonical_json(contract) for contract in interfaces.values())
    own = frozenset(_words(recipe)) if recipe is not None else frozenset()
    return own | _of_contracts(texts)


@cache
def schema_text(model: type[BaseModel] | None) -> str:
    """Return the JSON Schema of the recipes of a model, as text: its words are the program's, and nobody's."""
    return canonical_json((Recipe if model is None else model).model_json_schema())


@lru_cache(maxsize=8)
def _of_contracts(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _of_contract(text))


@lru_cache(maxsize=4096)
def _of_contract(text: str) -> frozenset[str]:
    return frozenset(_words(json.loads(text)))


def _words(value: Any) -> Iterator[str]:
    """Yield the keys and the strings without a space of a JSON value, and the words that each is made of."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(item.keys())
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, str) and item and not any(map(str.isspace, item)):
            yield item.casefold()
            yield from tokens(clean(in_words(item)))
