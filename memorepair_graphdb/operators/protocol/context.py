"""What an operator is given: the recipe, the live sources, the contracts in force, and nothing that was withdrawn.

Context in, payload out; an operator never sees the graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pydantic import BaseModel

from ...errors import BadInput, OperatorError
from ...model.artifact import Arch, Kind
from ...model.content import canonical_json
from .recipe import RecipeModel, parse_recipe

CHARACTERS_PER_TOKEN = 4
INTERFACE = "interface"
"""The role of a contract that an operator read."""


@dataclass(frozen=True, slots=True)
class LiveSource:
    """A source an operator may read: a retained artifact, a root's replacement, or a successor of the same event."""

    key: str
    role: str | None
    kind: Kind
    content: str
    blob: bytes | None = None
    metadata: Any = None
    size: int | None = None
    """characters, where the content is not there yet: an estimate is asked for before the successor is built"""

    @property
    def data(self) -> Any:
        """The content parsed as JSON; the text itself where it is none."""
        return parsed(self.content)

    @property
    def characters(self) -> int:
        """Length of the content, known or expected."""
        return len(self.content) if self.size is None else self.size


@dataclass(frozen=True, slots=True)
class SourceChange:
    """What an estimate may know of a change before the successor is built; no text of anything."""

    sources: frozenset[tuple[str, str | None]]
    """(key, role) of the recorded sources that left, or that say something else now"""
    blob: bool
    """whether what is to be succeeded has one"""


class Interfaces(Mapping[str, dict[str, Any]]):
    """κ_e: tool → contract in force, noting whose text was read, since a reading is an influence.

    Getting a contract, or iterating over values or items, reads it; names, `in` and `len` do not.
    One view serves one operator run: `fresh()` gives another over the same contracts, with nothing read.
    """

    __slots__ = ("_contracts", "_parsed")

    def __init__(self, contracts: Mapping[str, tuple[str, str]] | None = None) -> None:
        self._contracts: Mapping[str, tuple[str, str]] = contracts or {}
        """tool → (id of the contract's record, its content)"""
        self._parsed: dict[str, dict[str, Any]] = {}

    @classmethod
    def of(cls, contracts: Mapping[str, dict[str, Any]]) -> Interfaces:
        """Return a view of contracts that come from no graph: each tool's name stands for its record's id."""
        return cls({tool: (tool, canonical_json(contract)) for tool, contract in contracts.items()})

    def __getitem__(self, tool: str) -> dict[str, Any]:
        contract = self._parsed.get(tool)
        if contract is None:
            contract = self._parsed[tool] = json.loads(self._contracts[tool][1])
        return contract

    def __contains__(self, tool: object) -> bool:
        return tool in self._contracts

    def __iter__(self) -> Iterator[str]:
        return iter(self._contracts)

    def __len__(self) -> int:
        return len(self._contracts)

    def __repr__(self) -> str:
        return f"Interfaces({sorted(self._contracts)})"

    def fresh(self) -> Interfaces:
        """Return the same contracts, none read."""
        return Interfaces(self._contracts)

    @property
    def read(self) -> frozenset[str]:
        """Ids of the records whose contract was read through this view."""
        return frozenset(self._contracts[tool][0] for tool in self._parsed)

    @property
    def tools_read(self) -> tuple[str, ...]:
        """The tools whose contract was read through this view."""
        return tuple(self._parsed)

    @property
    def texts(self) -> tuple[str, ...]:
        """Contents of all contracts, sorted, for comparing names: nothing counts as read."""
        return tuple(sorted(content for _, content in self._contracts.values()))

    @property
    def texts_read(self) -> tuple[str, ...]:
        """Contents of the contracts that were read, sorted."""
        return tuple(sorted(self._contracts[tool][1] for tool in self._parsed))


@dataclass(frozen=True, slots=True)
class Context:
    """All that an operator may know of the artifact whose successor it builds (design, section 6)."""

    key: str
    kind: Kind
    arch: Arch | None = None
    recipe: Any = None
    """parsed JSON, as it was stored with the artifact"""
    interfaces: Mapping[str, dict[str, Any]] = field(default_factory=Interfaces)
    """tool → contract in force"""
    previous: str | None = None
    """the content that is to be succeeded, where the operator may have it"""
    previous_blob: bytes | None = None
    supports: tuple[LiveSource, ...] = ()
    """in the order of their keys"""
    change: SourceChange | None = None
    """where an estimate is asked for before anything is built; else None"""
    parsed_recipes: dict[type[BaseModel], tuple[Any, BaseModel]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """model → the recipe that was parsed, and what it is as this model: a recipe is parsed once, whoever reads it"""

    def by_role(self, role: str | None) -> tuple[LiveSource, ...]:
        """Return the sources with this role; with None, those that have none."""
        return tuple(source for source in self.supports if source.role == role)

    def source(self, key: str) -> LiveSource:
        """Return the source with this key; raises `OperatorError` that names the keys there are."""
        for source in self.supports:
            if source.key == key:
                return source
        raise OperatorError(
            f"{self.key} has no source {key!r} in service, only {[source.key for source in self.supports]}"
        )

    @property
    def characters(self) -> int:
        """Characters of all sources: what an estimate starts from."""
        return sum(source.characters for source in self.supports)

    @property
    def tokens(self) -> float:
        """Tokens that a model would read of the sources: a quarter of their characters, at least 1."""
        return max(1.0, self.characters / CHARACTERS_PER_TOKEN)

    @property
    def options(self) -> dict[str, Any]:
        """The recipe as an object, {} where there is none; raises `BadInput` when it is something else."""
        if self.recipe is None:
            return {}
        if not isinstance(self.recipe, dict):
            raise BadInput(f"the recipe of {self.key} is a JSON object, not {type(self.recipe).__name__}")
        return self.recipe

    def recipe_as(self, model: type[RecipeModel]) -> RecipeModel:
        """Return the recipe as this model, parsed once; raises `BadInput` that names the key and the wrong fields."""
        parsed_recipe = self.parsed_recipes.get(model)
        if parsed_recipe is None or parsed_recipe[0] is not self.recipe:
            parsed_recipe = self.recipe, parse_recipe(model, self.recipe, f"the recipe of {self.key}")
            self.parsed_recipes[model] = parsed_recipe
        return cast("RecipeModel", parsed_recipe[1])

    def again(self) -> Context:
        """Return the same context for another pass, with no contract read yet."""
        if isinstance(self.interfaces, Interfaces):
            return replace(self, interfaces=self.interfaces.fresh())
        return self


def parsed(content: str) -> Any:
    """Return a content as JSON where it is JSON, else the text."""
    try:
        return json.loads(content)
    except ValueError:
        return content


def contracts_read(interfaces: Mapping[str, dict[str, Any]]) -> tuple[str, ...]:
    """Return the contracts that an operator may have taken words from: those read, or all where nobody counts."""
    if isinstance(interfaces, Interfaces):
        return interfaces.texts_read
    return tuple(canonical_json(interfaces[tool]) for tool in sorted(interfaces))
