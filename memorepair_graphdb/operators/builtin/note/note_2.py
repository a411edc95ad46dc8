"""Registers note@2: it writes how to use tools from their contracts in force and their summary (regen).

A note names no tool and no parameter that the contracts in force do not have, and shows no call
that they do not take.

The recipe is `{"tool": "<name>"}` or `{"tools": ["<name>", …]}`; `contracts`, tool → the contract that the first
version was written for, and `checks`, as every regenerated text may have them. A lesson that goes by a name from an
interface that was is left out. Beside note@1: every example is one that its schema takes, and each claim has a check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....model.artifact import Arch
from ....model.vocabulary import Mode, SupportNeed
from ...contracts.examples import example_call
from ...protocol.context import Context
from .blocks import blocks_of
from .checks import CHECKS, contracts_of
from .former_names import former_names, used
from .writing import TEMPLATES, NoteRecipe, about, estimate, lessons, names_of, with_lessons

if TYPE_CHECKING:
    from ...protocol.registry import Registry

NAME = "note@2"


def write_note(context: Context) -> str:
    """Write what each tool does, its parameters, a call that its schema takes, and the lessons of the summary."""
    contracts = contracts_of(context)
    known, former = names_of(contracts) | set(context.interfaces), former_names(context)
    blocks = [block for contract in contracts for block in about(contract, example_call(contract))]
    return with_lessons(blocks, (line for line in lessons(context) if _still_true(line, known, former)))


def register(registry: Registry) -> None:
    """Add `note@2` and its checks to a registry."""
    registry.operator(
        NAME,
        mode=Mode.REGEN,
        support=SupportNeed.AVAILABLE,
        cost=estimate,
        previous=True,
        templates=TEMPLATES,
        kinds=(Arch.PROMPT,),
        recipe=NoteRecipe,
        vouching=("accounted",),
    )(write_note)
    for check in CHECKS:
        registry.validator(NAME)(check)


def _still_true(line: str, known: set[str], former: frozenset[str]) -> bool:
    shown = blocks_of(line)
    return shown.names <= known and not shown.calls and not shown.unreadable and not used(former, line)
