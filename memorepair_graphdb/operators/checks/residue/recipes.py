"""Clears a recipe of what was retracted: parts that the operator can do without go, anything else stops the rebuild."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ....model.content import canonical_json
from ...protocol.check import live_texts
from ...protocol.context import Context, Interfaces
from ...protocol.operator import Operator
from ...protocol.recipe import dispensable_fields
from ...protocol.verdict import Frequency
from .judge import ResidueJudge
from .vocabulary import schema_text


@dataclass(frozen=True, slots=True)
class ClearedRecipe:
    """A recipe that may go into service, or why there is none."""

    recipe: Any
    """parsed JSON; None where there was none"""
    dropped: tuple[str, ...] = ()
    """the parts that were taken out, such as `runs[0]`"""
    fault: str = ""
    """for a person, such as `its recipe quotes …`; "" where the recipe may be used"""


def clear_recipe(recipe: Any, roles: Sequence[str], dispensable: Collection[str], judge: ResidueJudge) -> ClearedRecipe:
    """Return a recipe without residue; `dispensable` are the fields that the operator can do without.

    Of a dispensable list only the items with residue go. A role is never dropped: an operator may go by it.
    """
    if not judge.applies:
        return ClearedRecipe(recipe)
    for role in roles:
        if fault := judge.fault(role):
            return ClearedRecipe(None, fault=f"the role of a source is quoted: {fault}")
    if recipe is None or not judge.fault(canonical_json(recipe)):
        return ClearedRecipe(recipe)
    dropped: list[str] = []
    if isinstance(recipe, dict):
        recipe = {
            name: kept
            for name, value in recipe.items()
            if (kept := _clear_field(name, value, judge, dropped) if name in dispensable else value) is not None
        }
    if fault := judge.fault(canonical_json(recipe)):
        return ClearedRecipe(None, fault=f"its recipe quotes what was retracted: {fault}")
    return ClearedRecipe(recipe, tuple(dropped))


def judge_of_recipe(
    operator: Operator, context: Context, retracted: Sequence[str], frequency: Frequency
) -> ResidueJudge:
    """Return the judge of a recipe: it may quote live sources, contracts in force, and what its model names."""
    interfaces, schema = context.interfaces, schema_text(operator.recipe)
    contracts = interfaces.texts if isinstance(interfaces, Interfaces) else ()
    live = (*live_texts(context), *contracts, schema)
    return ResidueJudge.of(
        context, retracted, frequency, live=live, templates=operator.templates, named=json.loads(schema)
    )


def clear_context(
    operator: Operator, context: Context, retracted: Sequence[str], frequency: Frequency
) -> ClearedRecipe:
    """Clear the recipe of a context and the roles of its sources, as its operator can do with them."""
    judge = judge_of_recipe(operator, context, retracted, frequency)
    roles = sorted({source.role for source in context.supports if source.role})
    return clear_recipe(context.recipe, roles, dispensable_fields(operator.recipe), judge)


def _clear_field(name: str, value: Any, judge: ResidueJudge, dropped: list[str]) -> Any:
    """Return what of a dispensable field may stay, None where nothing; what goes is added to `dropped`."""
    if not isinstance(value, list):
        if value is None or not judge.fault(canonical_json(value)):
            return value
        dropped.append(name)
        return None
    faults = [judge.fault(canonical_json(item)) for item in value]
    dropped += [f"{name}[{index}]" for index, fault in enumerate(faults) if fault]
    return [item for item, fault in zip(value, faults, strict=True) if not fault] or None
