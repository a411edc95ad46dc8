"""Requests whose words tell their tool, and the means to put an operator that learns from them to the test.

What a row says and which tool is right for it stands here, in plain words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.operators.embedding.features import HashedWords
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.execution.stage import Attempt, Job
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.operator import Operator
from memorepair_graphdb.operators.protocol.payload import Payload
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.operators.protocol.verdict import Verdict
from memorepair_graphdb.repair.execution.validation import checked_job

FEATURES = HashedWords(64)
WORDS = {
    "weather": ("rain", "sun", "wind", "storm", "umbrella"),
    "music": ("song", "album", "singer", "tune", "concert"),
    "travel": ("flight", "hotel", "train", "beach", "luggage"),
}
PLACES = ("Oslo", "Lima", "Rome", "Perth", "Quito", "Cairo")
Labelled = Mapping[str, tuple[str, Any]]
"""key → (text, tool or tools)"""


def requests(each: int = 20) -> dict[str, tuple[str, Any]]:
    """Rows whose words tell their tool."""
    return {
        f"request/{tool}/{number}": (f"{words[number % 5]} {words[number // 5 % 5]} in {PLACES[number % 6]}", tool)
        for tool, words in WORDS.items()
        for number in range(each)
    }


def context(
    rows: Labelled, old: Payload | None = None, tools: Mapping[str, str] | None = None, **recipe: Any
) -> Context:
    supports = [
        LiveSource(key, "request", Kind.RECORD, text, metadata={"tools": [tool] if isinstance(tool, str) else tool})
        for key, (text, tool) in sorted(rows.items())
    ]
    return Context(
        "selector/1",
        Kind.SKILL,
        Arch.NEURAL,
        recipe,
        Interfaces.of({tool: {"name": name} for tool, name in (tools or {}).items()}),
        old.content if old else None,
        old.blob if old else None,
        tuple(supports),
    )


TEXTS = [text for text, _ in requests().values()]


class Trainer:
    """One registered operator, and what comes of its work."""

    def __init__(self, register: Callable[[Registry, HashedWords], None], name: str) -> None:
        registry = Registry()
        register(registry, FEATURES)
        found = registry.find(name)
        assert found is not None
        self.operator: Operator = found

    def repaired(self, given: Context, retracted: tuple[str, ...] = ()) -> Attempt:
        return attempt(checked_job(self.operator, given, retracted, lambda word: 0))

    def made(self, given: Context) -> Payload:
        tried = self.repaired(given)
        assert tried.payload is not None, tried.reason
        return tried.payload

    def verdicts(self, payload: Payload, given: Context) -> tuple[Verdict, ...]:
        """What the checks say, all of them, of a payload that some operator returned."""
        job = Job(self.operator, given)
        return tuple(_judged(validator, job, payload) for validator in job.operator.validators)

    def failed(self, payload: Payload, given: Context) -> list[str]:
        return [verdict.check for verdict in self.verdicts(payload, given) if not verdict.ok]


def _judged(validator: Any, job: Job, payload: Payload) -> Verdict:
    alone = replace(job.operator, run=lambda _: payload, validators=(validator,), vouching=())
    return attempt(replace(job, operator=alone)).checks[-1]
