"""Judges what passes which checks: the form alone, the stored questions alone, everything.

A fault is judged by the code that judges a repair; nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

from ....operators.execution.attempt import attempt
from ....operators.execution.stage import Attempt, Job
from ....operators.protocol.context import Context
from ....operators.protocol.operator import Operator
from ....operators.protocol.payload import Payload
from ....repair.execution.validation import checked_job
from .case import Case


def seen_often(token: str) -> int:
    """Return the frequency in a space where every word is common: what is only rare is then no trace."""
    return 99


def attempt_truth(operator: Operator, case: Case) -> Attempt:
    """Return the attempt at the true successor, by all checks."""
    return attempt(_job(operator, case))


def passes(operator: Operator, case: Case, fault: Payload, only: Collection[str] | None = None) -> bool:
    """Return whether a payload passes, were it what the operator returned: all checks, or only those of these names.

    The operator's next run, where a check asks for one, is a true one.
    """
    return judge(operator, case, fault, only).payload is not None


def judge(operator: Operator, case: Case, fault: Payload, only: Collection[str] | None = None) -> Attempt:
    """Return the attempt whose first run returns this payload."""
    job = _job(operator, case)
    wanted = _all if only is None else only.__contains__
    checks = tuple(check for check in job.checks if wanted(check.name))
    validators = tuple(check for check in operator.validators if wanted(_name(check)))
    vouching = operator.vouching if only is None else ()
    turned = replace(operator, run=_first(fault, operator.run), validators=validators, vouching=vouching)
    return attempt(replace(job, operator=turned, checks=checks))


def _job(operator: Operator, case: Case) -> Job:
    return checked_job(operator, case.context, case.retracted, seen_often)


def _first(fault: Payload, run: Callable[[Context], Any]) -> Callable[[Context], Any]:
    waiting: Iterator[Payload] = iter([fault])

    def again(context: Context) -> Any:
        return next(waiting, None) or run(context)

    return again


def _all(name: str) -> bool:
    return True


def _name(validator: Callable[..., Any]) -> str:
    return str(getattr(validator, "__name__", ""))
