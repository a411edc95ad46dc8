"""Holds what an event affects, as planning sees it, in columns: artifacts, and how their sources stand.

A cascade holds no texts. It has one order, in whatever order it was read, so that a position names an artifact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from .artifact import Arch, Kind, Required
from .vocabulary import EventType, Standing

Ints = NDArray[np.int64]

REQUIRED: tuple[Required, ...] = (False, None, True, "any")
"""What an edge can say of a need, in the order of its text; a column holds positions in here."""


class Form(NamedTuple):
    """What decides how an artifact is made again; a key of dictionaries, and few of them in a cascade."""

    kind: Kind
    arch: Arch | None
    operator: str | None


class Affected(NamedTuple):
    """One artifact of a cascade; made in bulk, so a tuple."""

    id: str
    key: str
    kind: Kind
    arch: Arch | None
    operator: str | None
    value: float | None
    cost: float | None
    embedded: bool
    root: bool


class Influence(NamedTuple):
    """One influence edge into an affected artifact, its source resolved to the version that stands for it."""

    target: str
    """id of the affected artifact"""
    source: str
    """id of the version that stands for the source; the retired one where none is live"""
    source_key: str
    role: str | None
    required: Required
    standing: Standing


class Outside(NamedTuple):
    """A source that is no affected descendant; sorted in bulk, so a tuple."""

    id: str
    key: str
    standing: Standing


@dataclass(frozen=True, slots=True, eq=False)
class Descendants:
    """D(F): n artifacts, in columns."""

    ids: list[str]
    keys: list[str]
    form: Ints
    """int64[n], positions in `forms`"""
    forms: tuple[Form, ...]
    value: list[float | None]
    cost: list[float | None]
    embedded: NDArray[np.bool_]
    faults: Mapping[str, str] = field(default_factory=dict)
    """id → what is stored there that is no value of its property"""

    def picked(self, order: Sequence[int]) -> Descendants:
        """Return some of them, in this order."""
        return Descendants(
            [self.ids[index] for index in order],
            [self.keys[index] for index in order],
            self.form[order],
            self.forms,
            [self.value[index] for index in order],
            [self.cost[index] for index in order],
            self.embedded[order],
            self.faults,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Influences:
    """m edges into descendants, in columns."""

    target: Ints
    """int64[m], positions among the n descendants"""
    source: Ints
    """int64[m], positions among the descendants; from n on, n + positions in `outside`"""
    role: Ints
    """int64[m], positions in `roles`"""
    required: Ints
    """int64[m], positions in `REQUIRED`"""
    roles: tuple[str | None, ...]
    outside: tuple[Outside, ...]

    def picked(self, order: Ints) -> Influences:
        """Return some of them, in this order."""
        return replace(
            self,
            target=self.target[order],
            source=self.source[order],
            role=self.role[order],
            required=self.required[order],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Cascade:
    """C(F) of one event (paper section 2.2), roots included, and all influence edges into D(F)."""

    event_id: str
    type: EventType
    roots: tuple[tuple[str, str], ...]
    """(key, id) of F, sorted"""
    descendants: Descendants
    """sorted by key, then id"""
    influences: Influences
    """by target; of one target by the source's key, its id, role and need"""
    value_mean: float | None = None
    cost_mean: float | None = None
    """the scale of an earlier plan of the event, kept by a retry; None on the first"""

    @classmethod
    def arranged(
        cls,
        event_id: str,
        type_: EventType,
        roots: Sequence[tuple[str, str]],
        descendants: Descendants,
        influences: Influences,
        value_mean: float | None = None,
        cost_mean: float | None = None,
    ) -> Cascade:
        """Put columns of any order into the one order; raises `BadInput` where an artifact stands twice."""
        ids, size = descendants.ids, len(descendants.ids)
        if len({*ids, *(id_ for _, id_ in roots)}) != size + len(roots):
            raise BadInput("the cascade names an artifact twice")
        order = sorted(sorted(range(size), key=ids.__getitem__), key=descendants.keys.__getitem__)
        number = np.empty(size + len(influences.outside), np.int64)
        number[order] = np.arange(size)
        outer = sorted(range(len(influences.outside)), key=influences.outside.__getitem__)
        number[size + np.array(outer, np.int64)] = size + np.arange(len(outer))
        sorted_ = descendants.picked(order)
        edges = _sort_roles(influences)
        outside = tuple(influences.outside[index] for index in outer)
        edges = replace(edges, target=number[edges.target], source=number[edges.source], outside=outside)
        edges = edges.picked(
            np.lexsort((edges.required, edges.role, _rank_sources(sorted_, outside)[edges.source], edges.target))
        )
        return cls(event_id, type_, tuple(sorted(roots)), sorted_, edges, value_mean, cost_mean)

    @property
    def affected(self) -> Iterator[Affected]:
        """Yield the roots, then the descendants."""
        for key, id_ in self.roots:
            yield Affected(id_, key, Kind.RECORD, None, None, None, None, False, True)
        yield from map(Rows(self).artifact, range(len(self.descendants.ids)))

    @property
    def operators(self) -> frozenset[str]:
        """Names of the operators of the descendants."""
        return frozenset(form.operator for form in self.descendants.forms if form.operator is not None)


class Rows:
    """A cascade read one artifact at a time; holds lists, which are faster to read so than arrays."""

    def __init__(self, cascade: Cascade) -> None:
        all_, edges = cascade.descendants, cascade.influences
        self._all = all_
        self._form: list[int] = all_.form.tolist()
        self._embedded: list[bool] = all_.embedded.tolist()
        self._starts: list[int] = np.searchsorted(edges.target, np.arange(len(all_.ids) + 1)).tolist()
        self._source: list[int] = edges.source.tolist()
        self._need = [
            (edges.roles[role], REQUIRED[need])
            for role, need in zip(edges.role.tolist(), edges.required.tolist(), strict=True)
        ]
        self._names = [
            *(Outside(id_, key, Standing.AFFECTED) for id_, key in zip(all_.ids, all_.keys, strict=True)),
            *edges.outside,
        ]

    def artifact(self, position: int) -> Affected:
        """Return one of the descendants."""
        all_ = self._all
        form = all_.forms[self._form[position]]
        figures = all_.value[position], all_.cost[position]
        return Affected(all_.ids[position], all_.keys[position], *form, *figures, self._embedded[position], False)

    def sources(self, position: int) -> list[int]:
        """Return the sources of the edges into one of the descendants, as in the column."""
        return self._source[self._starts[position] : self._starts[position + 1]]

    def edges(self, position: int) -> tuple[Influence, ...]:
        """Return the edges into one of the descendants."""
        target, needs = self._all.ids[position], self._need[self._starts[position] : self._starts[position + 1]]
        return tuple(
            Influence(target, *self._names[source][:2], *need, self._names[source].standing)
            for source, need in zip(self.sources(position), needs, strict=True)
        )


def _sort_roles(influences: Influences) -> Influences:
    """Return the same edges, their roles in the order of their text."""
    roles = tuple(sorted(influences.roles, key=lambda role: role or ""))
    number = np.array([roles.index(role) for role in influences.roles], np.int64)
    return replace(influences, role=number[influences.role], roles=roles)


def _rank_sources(descendants: Descendants, outside: Sequence[Outside]) -> Ints:
    """Return the rank of each source, descendants first, among all by key, then id; both parts are sorted."""
    names = [*zip(descendants.keys, descendants.ids, strict=True), *((source.key, source.id) for source in outside)]
    ranks = np.empty(len(names), np.int64)
    ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return ranks
