"""Counts how many planted leaks the residue check finds, and how many clean texts it refuses.

A leak counts as found only where the same text without it passes; nothing is printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ....operators.checks.residue import residue
from ....operators.protocol.payload import Payload
from ...workloads import WORKLOADS
from .clean import clean_texts
from .planting import PROMISED, Draw, Leak, leaks
from .scenes import Scene, SceneMemory
from .unpromised import UNPROMISED

LEAKS = 500
"""planted, of the promised sorts together; as many clean texts"""
REPORTED = 50
"""of each sort that is not promised"""
SEED = 20260505


@dataclass(frozen=True, slots=True)
class ResidueRow:
    """One line of the table."""

    sort: str
    promised: bool
    texts: int
    refused: int

    @property
    def share(self) -> float:
        """Refused, of all."""
        return self.refused / self.texts


@dataclass(frozen=True, slots=True)
class Miss:
    """A text that was judged wrongly."""

    sort: str
    key: str
    secret: str
    planted: str
    said: str


def measure(directory: Path, *, part: float = 1.0, seed: int = SEED) -> list[ResidueRow]:
    """Return rows for every sort of leak, `all leaks` (promised), and `clean`, whose refusals are false alarms.

    `part` is the share of 500 leaks and 500 clean texts that is drawn; `directory` is ToolBench's.
    """
    return table(WORKLOADS["toolbench"](directory), part=part, seed=seed)[0]


def table(
    lines: Iterable[Mapping[str, Any]], *, part: float = 1.0, seed: int = SEED
) -> tuple[list[ResidueRow], list[Miss]]:
    """As `measure`, over lines that are read already, with every text that was judged wrongly."""
    memory = SceneMemory(lines)
    scenes = list(memory.scenes())
    misses: list[Miss] = []
    promised = list(_found(memory, scenes, PROMISED, round(part * LEAKS), seed, misses))
    reported = list(_found(memory, scenes, UNPROMISED, round(part * REPORTED) * len(UNPROMISED), seed + 1, []))
    everything = ResidueRow("all leaks", True, sum(row.texts for row in promised), sum(row.refused for row in promised))
    clean = _alarms(memory, scenes, round(part * LEAKS), seed + 2, misses)
    return [*promised, everything, clean, *(replace(row, promised=False) for row in reported)], misses


def said(memory: SceneMemory, scene: Scene, text: str) -> str:
    """Return what the check says of a text in a scene; empty where it passes."""
    frequency = partial(memory.frequency, withdrawn=scene.withdrawn)
    return residue(Payload(text), scene.retracted, scene.live, (), frequency).reason


def _found(
    memory: SceneMemory, scenes: list[Scene], sorts: Mapping[str, Draw], count: int, seed: int, misses: list[Miss]
) -> Iterator[ResidueRow]:
    texts: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for leak in leaks(scenes, sorts, count, seed):
        texts[leak.sort] += 1
        if _is_found(memory, leak):
            refused[leak.sort] += 1
        else:
            misses.append(
                Miss(leak.sort, leak.scene.key, leak.secret, leak.planted, said(memory, leak.scene, leak.text))
            )
    for sort in sorts:
        yield ResidueRow(sort, True, texts[sort], refused[sort])


def _is_found(memory: SceneMemory, leak: Leak) -> bool:
    return bool(said(memory, leak.scene, leak.text)) and not said(memory, leak.scene, leak.carrier)


def _alarms(memory: SceneMemory, scenes: list[Scene], count: int, seed: int, misses: list[Miss]) -> ResidueRow:
    others = [content for key, content in memory.contents.items() if key.startswith(("instr/", "doc/"))]
    refused = 0
    for clean in clean_texts(scenes, others, count, seed):
        reason = said(memory, clean.scene, clean.text)
        if reason:
            refused += 1
            misses.append(Miss(f"clean, {clean.sort}", clean.scene.key, "", clean.text, reason))
    return ResidueRow("clean", True, count, refused)
