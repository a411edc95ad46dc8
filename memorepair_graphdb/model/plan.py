"""Holds plans: a candidate for every affected artifact, and the selection among them.

`preview` shows the value that `repair` carries out; the plan's id says whether it is still the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from .artifact import Arch, Kind
from .frozen import Frozen
from .vocabulary import Mode

T = TypeVar("T")


class Candidate(Frozen):
    """q = (mode, operator, predecessors P, executable v, value w, cost c) of one non-removed descendant."""

    key: str
    id: str
    kind: Kind
    arch: Arch | None
    mode: Mode
    operator: str | None
    predecessors: tuple[str, ...]
    """keys of P, sorted"""
    executable: bool
    value: float
    """as given: the caller's units"""
    cost: float
    """as given or estimated: tokens"""
    selected: bool
    reason: str
    """why it is in or out, for a person"""
    predecessor_ids: tuple[str, ...] = ()
    """ids of P: the withdrawn versions whose successors the operator will consume"""
    support_ids: tuple[str, ...] = ()
    """ids of the sources in service that it will consume"""
    level: int = 0
    """0 where P is empty, else one more than the highest level in P"""


@dataclass(frozen=True, slots=True)
class Lists(Generic[T]):
    """Many short lists as one: list i is `flat[ends[i] : ends[i + 1]]`."""

    flat: list[T]
    ends: list[int]

    @classmethod
    def of(cls, size: int, own: NDArray[np.int64], flat: list[T]) -> Lists[T]:
        """Return `size` lists; entry k of `flat` is in list `own[k]`, which ascends."""
        return cls(flat, np.searchsorted(own, np.arange(size + 1)).tolist())

    def __getitem__(self, index: int) -> list[T]:
        return self.flat[self.ends[index] : self.ends[index + 1]]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates(Sequence[Candidate]):
    """Many candidates, in columns named as their fields; a candidate is made when it is asked for."""

    key: list[str]
    id: list[str]
    kind: list[Kind]
    arch: list[Arch | None]
    mode: list[Mode]
    operator: list[str | None]
    needs: Lists[int]
    """P, as positions in these columns, by key"""
    executable: list[bool]
    value: list[float]
    cost: list[float]
    selected: list[bool]
    reason: list[str]
    support_ids: Lists[str]
    level: list[int]

    def predecessor_ids(self, index: int) -> list[str]:
        """Return P of one candidate, as ids."""
        return [self.id[need] for need in self.needs[index]]

    def __len__(self) -> int:
        return len(self.id)

    def __iter__(self) -> Iterator[Candidate]:
        return map(self._candidate, range(len(self.id)))

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Candidate, ...]: ...
    def __getitem__(self, index: int | slice) -> Candidate | tuple[Candidate, ...]:
        chosen = range(len(self.id))[index]
        return self._candidate(chosen) if isinstance(chosen, int) else tuple(map(self._candidate, chosen))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Candidates):
            return all(getattr(self, field.name) == getattr(other, field.name) for field in fields(self))
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def _candidate(self, index: int) -> Candidate:
        needs = self.needs[index]
        return Candidate.model_construct(
            key=self.key[index],
            id=self.id[index],
            kind=self.kind[index],
            arch=self.arch[index],
            mode=self.mode[index],
            operator=self.operator[index],
            predecessors=tuple(self.key[need] for need in needs),
            executable=self.executable[index],
            value=self.value[index],
            cost=self.cost[index],
            selected=self.selected[index],
            reason=self.reason[index],
            predecessor_ids=tuple(self.id[need] for need in needs),
            support_ids=tuple(self.support_ids[index]),
            level=self.level[index],
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Print the candidates as rows."""
        rows = core_schema.plain_serializer_function_ser_schema(
            tuple, return_schema=handler.generate_schema(tuple[Candidate, ...])
        )
        return core_schema.is_instance_schema(cls, serialization=rows)


class Removed(Frozen):
    """An affected artifact that gets no successor: a deleted root, or a descendant of mode `remove`."""

    key: str
    reason: str
    id: str


class Choice(Frozen):
    """How the selection was made, and how good it is; in multiples of the mean value where nothing else is said."""

    seconds: float
    """wall time"""
    resolution: float = 0.0
    """0 where values and costs were taken exactly; else the unit they were rounded to"""
    kernel: int = 0
    """candidates that were left to the max-flow after the reductions"""
    net: float = 0.0
    """Σw − λΣc"""
    bound: float = 0.0
    """no selection (within the budget, where there is one) has more: `net` itself where it is the optimum"""
    gap: float = 0.0
    """(bound − net) / bound"""
    status: str = "optimal"
    """`optimal`; `gap`: as near as was asked; or `time_limit`: the best found in time"""

    def __eq__(self, other: object) -> bool:
        """Equal but for the time it took: the same plan, made twice, is one plan."""
        return isinstance(other, Choice) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[Any, ...]:
        return self.resolution, self.kernel, self.net, self.bound, self.gap, self.status


class Plan(Frozen):
    """What a repair of the event would do, and why."""

    event: dict[str, Any]
    plan_id: str
    tradeoff: str
    """λ, the decimal as written"""
    cascade: tuple[str, ...]
    """keys of C(F), sorted"""
    value: float
    """Σ w of the selection"""
    cost: float
    """Σ c of the selection"""
    counts: dict[str, int]
    """affected descendants by mode"""
    removed: tuple[Removed, ...]
    candidates: Candidates
    """sorted by level, then key"""
    budget: str | None = None
    """β, the most that the selection may cost, as asked: tokens, or a share of Repair all"""
    choice: Choice = Choice(seconds=0.0)
    value_mean: float = 1.0
    cost_mean: float = 1.0
    """the scale: mean w and mean c over D⁺, 1 where the mean is 0"""
    factors: dict[str, float] = {}
    """operator → what its own estimates are multiplied with, as past repairs of the space taught"""

    @property
    def selected(self) -> tuple[Candidate, ...]:
        """The candidates with x = 1, in an order that can be executed."""
        return tuple(self.candidates[index] for index, x in enumerate(self.candidates.selected) if x)
