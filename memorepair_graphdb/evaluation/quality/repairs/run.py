"""Loads a memory, changes it, repairs it, counts and audits.

Every event goes through `MemoRepair.repair`, as a user's would; the figures are of what it left.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from scipy.stats import spearmanr

from ....api import MemoRepair
from ....model.event import RepairEvent
from ....model.vocabulary import Outcome
from ....store.queries import query
from ...speed.synthetic_memory import sweep_afterwards
from ...workloads.derivation import Line
from .audit import ServedWords, leaks, words_in
from .changes import corrections, deletions, migrations
from .memory import World, memory

_SERVED = query("bench/served")
_SPENT = query("bench/spent")
EACH = 20
"""deletions, corrections and migrations"""


@dataclass(frozen=True, slots=True)
class Setting:
    """A memory, and what will happen to it, in order."""

    lines: list[Line]
    world: World
    events: list[RepairEvent]


def setting(data: Path, *, each: int = EACH, seed: int = 1) -> Setting:
    """Return the memory of `data`/toolbench, and `each` migrations as in `data`/migrate.

    Corrections follow, and then deletions.

    In this order, since a chain that rests on what was retracted is not rewritten any more.
    """
    lines, world = memory(data / "toolbench")
    random = Random(seed)
    events = [
        *migrations(lines, each, random, data / "migrate"),
        *corrections(lines, each, random),
        *deletions(lines, each, random),
    ]
    return Setting(lines, world, events)


def measure(data: Path, each: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Load the memory of `data`/toolbench into a space of its own on the server of the environment, and repair it.

    Returns what `run` does; nothing of the space is left. Raises `BadInput` where the directory holds no ToolBench.
    """
    tell("reading the memory of ToolBench; its contents are made by the operators")
    what = setting(data, each=each)
    with (
        MemoRepair.from_env(space=f"evaluation_{os.getpid()}", registry=what.world.registry) as memory_of,
        sweep_afterwards(memory_of.transactions, memory_of.space),
    ):
        memory_of.setup()
        tell(f"loading {len(what.lines)} artifacts")
        memory_of.load(what.lines)
        return run(memory_of, what, tell)


def run(memory_of: MemoRepair, what: Setting, tell: Callable[[str], None]) -> dict[str, Any]:
    """Repair one event after the other in a space that holds the lines: the tables, the reasons, the audit.

    `memory_of` works with the registry of `what.world`.
    """
    kinds = {line["key"]: str(line.get("arch", line["kind"])) for line in what.lines}
    operators = {line["key"]: line.get("operator") for line in what.lines}
    table: dict[str, Counter[str]] = {kind: Counter() for kind in dict.fromkeys(kinds.values())}
    by_operator: dict[str, Counter[str]] = {}
    reasons: dict[str, Counter[str]] = {}
    retracted: list[str] = []
    began, skipped = perf_counter(), 0
    for number, event in enumerate(what.events, 1):
        roots = [root for root in event.roots if memory_of.get(root) is not None]
        if not roots:  # an earlier event took it
            skipped += 1
            continue
        asked = event if len(roots) == len(event.roots) else RepairEvent.delete(roots, reason=event.reason)
        retracted += _retracted(memory_of, asked, roots)
        for root, text in asked.replacements.items():
            if not asked.type.meaning.contract_roots:
                what.world.says(root, text)
        report = memory_of.repair(asked)
        for key, outcome in report.outcomes.items():
            table[kinds[key]][outcome.value] += 1
            if operators[key]:
                by_operator.setdefault(str(operators[key]), Counter())[outcome.value] += 1
            if outcome in (Outcome.REJECTED, Outcome.OPERATOR_FAILED):
                reasons.setdefault(f"{operators[key]} {outcome.value}", Counter())[report.reasons[key]] += 1
        tell(f"{number} of {len(what.events)}: {asked.type} of {roots[0]}: {dict(report.counts)}")
    served = list(_served(memory_of))
    return {
        "artifacts": len(what.lines),
        "events": len(what.events) - skipped,
        "seconds": round(perf_counter() - began, 1),
        "by_kind": {kind: dict(counts) for kind, counts in table.items()},
        "by_operator": {operator: dict(by_operator[operator]) for operator in sorted(by_operator)},
        "reasons": {what_: dict(counts.most_common(10)) for what_, counts in sorted(reasons.items())},
        "leaks": leaks(retracted, served),
        "violations": [violation.model_dump() for violation in memory_of.check().violations],
        "estimates": _estimates(memory_of),
    }


def _retracted(memory_of: MemoRepair, event: RepairEvent, roots: list[str]) -> list[str]:
    """Return the texts that leave for good: a migration retracts nothing."""
    if not event.type.meaning.retracts_texts:
        return []
    found = (memory_of.get(root) for root in roots)
    return [artifact.content for artifact in found if artifact is not None and artifact.content]


def _served(memory_of: MemoRepair) -> Iterator[ServedWords]:
    row = memory_of.transactions.read(lambda tx: _SERVED.one(tx, space=memory_of.space))
    columns = ("keys", "kinds", "contents", "recipes", "metadata", "blobs")
    for key, kind, *texts, blob in zip(*(row[column] for column in columns), strict=True):
        yield ServedWords(key, kind, "\n".join([*texts, words_in(bytes(blob)) if blob else ""]))


def _estimates(memory_of: MemoRepair) -> dict[str, dict[str, float]]:
    """Return, by operator, how many ran, the rank correlation of expected and spent tokens, and their ratio."""
    row = memory_of.transactions.read(lambda tx: _SPENT.one(tx, space=memory_of.space))
    pairs: dict[str, list[tuple[float, float]]] = {}
    for operator, cost, spent in zip(row["operators"], row["costs"], row["spents"], strict=True):
        pairs.setdefault(operator, []).append((cost, spent))
    return {
        operator: {
            "runs": len(found),
            "rank_correlation": round(float(spearmanr(*zip(*found, strict=True)).statistic), 3),
            "spent_over_expected": round(sum(s for _, s in found) / sum(c for c, _ in found), 3),
        }
        for operator, found in sorted(pairs.items())
        if len(found) > 2
    }
