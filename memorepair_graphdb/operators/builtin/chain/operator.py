"""Defines chain@1: rewrites a chain for the contracts in force, from the contracts that it was written for (regen).

What cannot be rewritten for certain is refused, with the reasons.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from ....errors import OperatorError
from ....model.artifact import Arch
from ....model.vocabulary import Mode, SupportNeed
from ...contracts.diff import differences
from ...protocol.context import Context
from ...protocol.payload import Payload
from .checks import ChainChecks
from .recipe import ChainRecipe, skill_of, written_for
from .rewriting import rewrite
from .sandbox import Sandbox, shared_sandbox
from .stubs import stubs, typed_view

if TYPE_CHECKING:
    from ...protocol.registry import Registry

_log = logging.getLogger(__name__)

NAME = "chain@1"
SHARE = 0.1
"""Rewriting reads a chain and its contracts, but no model does: counted as a tenth of their tokens."""


def estimate(context: Context) -> float:
    """Return tokens: a tenth of what a model would read, at least 1."""
    return max(1.0, SHARE * context.tokens)


def migrate_chain(context: Context, sandbox: Callable[[], Sandbox]) -> Payload:
    """Rewrite a chain for the contracts in force; raises `OperatorError` with the reasons where that is not certain."""
    if context.previous is None:
        raise OperatorError(f"the chain {context.key} rests on what was retracted: it is rewritten, not reinvented")
    skill = skill_of(context)
    if fault := sandbox().type_fault(typed_view(context.previous, skill.old), stubs(skill.old)):
        raise OperatorError(f"the chain does not keep to the contracts it was written for: {fault}")
    for tool, now in skill.successors.items():
        for change in differences(skill.old[tool], skill.new[now]):
            _log.info("%s: %s: %s", context.key, tool, change)
    source = rewrite(context.previous, skill.old, skill.new, skill.successors, skill.presentational)
    return Payload(source, blob=written_for(skill.new))


def register(registry: Registry, sandbox: Callable[[], Sandbox] = shared_sandbox) -> None:
    """Give a registry `chain@1` with all its checks; the sandbox is started when the first chain needs it."""

    @registry.operator(
        NAME,
        mode=Mode.REGEN,
        support=SupportNeed.AVAILABLE,
        cost=estimate,
        rewrites=True,
        kinds=(Arch.CHAIN,),
        recipe=ChainRecipe,
        needs=("pydantic_monty", "jsoncompat"),
        extra="chain",
        vouching=("dry_run", "recorded_runs"),
    )
    def chain_1(context: Context) -> Payload:
        """Rewrite a chain for the contracts in force, by its syntax tree; run it in a sandbox only."""
        return migrate_chain(context, sandbox)

    for check in ChainChecks(sandbox).all():
        registry.validator(NAME)(check)
