"""Counts how many seeded faults pass the form alone, the stored questions alone, everything: the false-pass table.

Every fault counts, and one that passes everything is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ....errors import BadInput
from ....operators.protocol.operator import Operator
from ....operators.protocol.payload import Payload
from ....operators.protocol.registry import Registry
from .caches import CACHES, answer
from .case import Case, Ward
from .chains import CHAINS
from .emptiness import empty_successors
from .judging import attempt_truth, passes
from .notes import NOTES
from .selectors import SELECTORS
from .summaries import PLAIN_SUMMARIES, SUMMARIES

WARDS: tuple[Ward, ...] = (CACHES, PLAIN_SUMMARIES, SUMMARIES, NOTES, CHAINS, SELECTORS)
COUNT = 200
"""faults of each class, as in the paper"""
SHARED = 4
"""faults that one true successor gets"""
TRIES = 50
"""cases for which a sort of fault may not apply, before that is an error"""
PAPER = {"schema_only": 0.886, "regression_only": 0.298, "full": 0.0}
"""share of faults that pass (paper section 4.5)"""


@dataclass(frozen=True, slots=True)
class Fault:
    """One injured successor."""

    ward: Ward
    sort: str
    case: Case
    payload: Payload


def known(registry: Registry | None = None) -> Registry:
    """Return a registry with the built-in operators, and the tool that the cases call."""
    registry = registry or Registry.default()
    registry.runner(_runner)
    return registry


def run(*, count: int = COUNT, seed: int = 0, tell: Callable[[str], None] = lambda line: None) -> list[dict[str, Any]]:
    """Return the rows of the table over all classes whose operator can run here."""
    registry = known()
    rows = []
    for ward in WARDS:
        operator = registry.find(ward.operator)
        if operator is None or operator.lacks:
            tell(f"{ward.kind}: {ward.operator} {operator.lacks if operator else 'is not registered here'}")
            continue
        tell(f"{ward.kind}: {count} faults")
        rows.append(row(operator, ward, count, seed))
    return rows


def row(operator: Operator, ward: Ward, count: int, seed: int) -> dict[str, Any]:
    """Return one class: how many faults, how many pass, and the sorts of those that pass everything.

    `empty` are successors of which no check has anything to see, `empty_passed` those that pass everything.
    """
    found = list(faults(operator, ward, count, seed))
    full = [fault for fault in found if passes(operator, fault.case, fault.payload)]
    empty = list(empty_successors(_true(operator, ward, Random(f"{ward.kind} {seed}"))[0]))
    return {
        "kind": ward.kind,
        "operator": operator.name,
        "faults": len(found),
        "sorts": len({fault.sort for fault in found}),
        "schema_only": sum(passes(operator, fault.case, fault.payload, ward.schema) for fault in found),
        "regression_only": sum(passes(operator, fault.case, fault.payload, ward.regression) for fault in found),
        "full": len(full),
        "empty": len(empty),
        "empty_passed": sum(passes(operator, case, payload) for case, payload in empty),
        "passed": sorted({fault.sort for fault in full}),
    }


def faults(operator: Operator, ward: Ward, count: int, seed: int) -> Iterator[Fault]:
    """Yield so many faults, the sorts in turn, each in a successor that passes all checks; the same for the same seed.

    Raises `BadInput` when a true successor fails, or a sort never applies.
    """
    draw = Random(f"{ward.kind} {ward.operator} {seed}")
    sorts = list(ward.sorts)
    case, payload = _true(operator, ward, draw)
    for number in range(count):
        sort = sorts[number % len(sorts)]
        if number and number % SHARED == 0:
            case, payload = _true(operator, ward, draw)
        for _ in range(TRIES):
            wrong = ward.sorts[sort](case, payload, draw)
            if wrong is not None:
                break
            case, payload = _true(operator, ward, draw)
        else:
            raise BadInput(f"the fault {sort!r} never applies to a {ward.kind}")
        yield Fault(ward, sort, case, wrong)


def _true(operator: Operator, ward: Ward, draw: Random) -> tuple[Case, Payload]:
    case = ward.case(draw)
    if case.before is not None:
        first = attempt_truth(operator, replace(case, context=case.before, retracted=())).payload
        if first is None:
            raise BadInput(f"the version before a true {ward.kind} is rejected")
        start = replace(case.context, previous=first.content, previous_blob=first.blob)
        case = replace(case, context=start)
    attempt = attempt_truth(operator, case)
    if attempt.payload is None:
        raise BadInput(f"a true {ward.kind} is rejected: {attempt.reason}")
    return case, attempt.payload


def _runner(tool: str, arguments: dict[str, Any]) -> Any:
    return answer(tool, arguments)
