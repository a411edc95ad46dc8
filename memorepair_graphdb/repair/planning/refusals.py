"""Asks operators what they refuse to rebuild, before anything is planned.

A refusal sees recipes and the contracts in force after the event, no text; it is the same before and behind the
barrier.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from ...errors import describe
from ...model.cascade import Rows
from ...operators.protocol.context import Context, Interfaces
from ...store import operator_inputs
from .modes import mode_of, removed

if TYPE_CHECKING:
    from ...model.cascade import Affected, Cascade, Form
    from ...operators.protocol.operator import Operator
    from ...operators.protocol.registry import Registry
    from ...store.cascades import Held
    from ...store.transactions import Tx
    from .modes import Eligibility
    from .sizes import SizeReader

_log = logging.getLogger(__name__)


def find_refusals(
    cascade: Cascade, operators: Registry, contracts: Interfaces, sizes: SizeReader
) -> dict[str, Eligibility]:
    """Return id → why it gets no successor, of what its operator refuses under the contracts in force.

    Nothing is read where no operator can refuse.
    """
    all_ = cascade.descendants
    refusing = [_refusing(form, operators) for form in all_.forms]
    if not any(refusing):
        return {}
    rows = Rows(cascade)
    by_id = {
        all_.ids[index]: (rows.artifact(index), operator)
        for index, form in enumerate(all_.form.tolist())
        if (operator := refusing[form]) is not None and all_.ids[index] not in all_.faults
    }
    refusals = {}
    for id_, size in sizes.read(by_id).items():
        if reason := _refusal(*by_id[id_], size.recipe, contracts):
            refusals[id_] = removed(reason)
    return refusals


def _refusing(form: Form, operators: Registry) -> Operator | None:
    """Return the operator of artifacts of this form, where it fits them and refuses some."""
    operator = operators.find(form.operator)
    fits = operator is not None and operator.refuses is not None and operator.mode is mode_of(form.kind, form.arch)
    return operator if fits else None


def _refusal(artifact: Affected, operator: Operator, recipe: object, contracts: Interfaces) -> str:
    context = Context(artifact.key, artifact.kind, artifact.arch, recipe=recipe, interfaces=contracts)
    try:
        return operator.refuses(context) if operator.refuses is not None else ""
    except Exception as error:
        # Whoever cannot say no is run, and fails there if it must: one bad recipe is no end of a whole repair.
        _log.warning("%s cannot say whether it refuses %s: %s", operator.name, artifact.key, describe(error))
        return ""


def contracts_in_force(tx: Tx, space: str, held: Held) -> Interfaces:
    """Return κ_e: before the barrier the roots are in service still, and what succeeds them is in Δ alone."""
    contracts, replacements = operator_inputs.interfaces(tx, space), replacements_of(held)
    roots = {id_ for _, id_ in held.cascade.roots}
    for tool, (id_, _) in list(contracts.items()):
        if id_ in roots:
            text = replacements.get(id_)
            contracts.pop(tool) if text is None else contracts.update({tool: (id_, text)})
    return Interfaces(contracts)


def replacements_of(held: Held) -> dict[str, str]:
    """Return the new contents of replaced roots, by id, as Δ has them: by id or by key."""
    delta = json.loads(held.delta) if held.delta else {}
    texts = {id_: delta.get(id_, delta.get(key)) for key, id_ in held.cascade.roots}
    return {id_: text for id_, text in texts.items() if text is not None}
