"""Judges every affected descendant: what becomes of it, and what it is made from if it can be repaired.

What no rule can object to is judged for all at once, in columns; the rules are asked about the rest, one by one,
sources first. `rules.Trigger` says where a rule is asked.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...model.artifact import Arch
from ...model.cascade import REQUIRED, Cascade, Form, Ints, Rows
from ...model.vocabulary import Mode, Standing
from ...operators.protocol.registry import Operator
from ...solver.layers import Side
from ...solver.topology import Topology
from .by_sources import IN_SERVICE, judge_by_sources
from .modes import Eligibility
from .rules import RULES, ArtifactCase, ArtifactRule, FormCase, FormRule, Rule, Trigger, first_objection

Marks = NDArray[np.bool_]

_FREE = Eligibility(Mode.REGEN, True)
"""Of a source that nothing hinders: that it can come is all that is asked of it."""

_ANY = REQUIRED.index("any")


@dataclass(frozen=True, slots=True)
class Scope:
    """A cascade, and what is known beside it."""

    cascade: Cascade
    operators: Mapping[str | None, Operator | None]
    """the operators that it names, None where one is not registered"""
    replaced: frozenset[str]
    objections: Mapping[str, Eligibility]
    """id → what was found against it before the rules are asked"""
    embeddable: bool
    rules: tuple[Rule, ...] = RULES

    @property
    def retired(self) -> frozenset[str]:
        """Ids of the contracts that this event retires."""
        migrates = self.cascade.type.meaning.contract_roots
        return frozenset(id_ for _, id_ in self.cascade.roots) - self.replaced if migrates else frozenset()

    @property
    def retracts(self) -> bool:
        """Whether the event takes texts back: a migration does not."""
        return self.cascade.type.meaning.retracts_texts

    def operator(self, index: int) -> Operator | None:
        """Return the operator of one of the descendants."""
        all_ = self.cascade.descendants
        return self.operators[all_.forms[all_.form[index]].operator]

    def form_case(self, form: Form, embedded: bool) -> FormCase:
        """Return what the rules of forms look at."""
        return FormCase(form, self.operators[form.operator], embedded, self.embeddable, self.retracts)


@dataclass(frozen=True, slots=True, eq=False)
class EligibilityColumns:
    """The eligibility of n descendants, by their indices."""

    hindered: dict[int, Eligibility]
    """of those that something stands in the way of; all others are executable"""
    needs: Side
    """P of each that is executable"""
    sources: list[str]
    """ids of sources that are no descendants, sorted"""
    supports: Side
    """which of them are in service, and consumed by each that is executable"""


def judge_descendants(scope: Scope) -> EligibilityColumns:
    """Judge every affected artifact that is no root (paper section 2.3)."""
    cascade = scope.cascade
    size, edges = len(cascade.descendants.ids), cascade.influences
    within = edges.source < size
    pairs = np.stack([edges.target[within], edges.source[within]], axis=1)
    cyclic, rank = order_by_influence(size, pairs)
    hindered = _judge_marked(scope, _mark_obstacles(scope, cyclic), cyclic, rank, pairs)
    free = np.ones(size, np.bool_)
    free[list(hindered)] = False
    return EligibilityColumns(hindered, _needs(scope, hindered, free), *_supports(scope, hindered, free))


def order_by_influence(size: int, pairs: Ints) -> tuple[Marks, Ints]:
    """Which descendants lie on a cycle of influence, over all affected edges; and a rank, sources before dependents."""
    loops = pairs[:, 0] == pairs[:, 1]
    apart = pairs[~loops]
    needs = Side.of(apart[:, 0], apart[:, 1])
    rank = Topology.of(size, np.stack([needs.own, needs.other], axis=1)).group
    cyclic: Marks = np.bincount(rank, minlength=size)[rank] > 1
    cyclic[pairs[loops, 0]] = True
    return cyclic, rank


def _mark_obstacles(scope: Scope, cyclic: Marks) -> Marks:
    """Mark what some rule may have something against by itself, whatever its sources become."""
    all_ = scope.cascade.descendants
    rules = [rule for rule in scope.rules if isinstance(rule, FormRule)]
    barred = [[_is_barred(scope, rules, form, embedded) for embedded in (False, True)] for form in all_.forms]
    marks: Marks = np.array(barred, np.bool_).reshape(-1, 2)[all_.form, all_.embedded.astype(np.int64)]
    triggers = {rule.trigger for rule in scope.rules if isinstance(rule, ArtifactRule)}
    for trigger in triggers:
        marks |= cyclic if trigger is Trigger.CYCLIC else _MARKS[trigger](scope)
    return marks


def _is_barred(scope: Scope, rules: Iterable[FormRule], form: Form, embedded: bool) -> bool:
    case = scope.form_case(form, embedded)
    return any(rule.judge(case) is not None for rule in rules)


def _mark_all(scope: Scope) -> Marks:
    return np.ones(len(scope.cascade.descendants.ids), np.bool_)


def _mark_source_gone(scope: Scope) -> Marks:
    edges, size = scope.cascade.influences, len(scope.cascade.descendants.ids)
    lost = ~(_stands(scope.cascade)["service"] | (edges.source < size))
    marks: Marks = np.bincount(edges.target, minlength=size) == 0
    marks[edges.target[lost]] = True
    return marks


def _mark_neural_unsupported(scope: Scope) -> Marks:
    all_, edges = scope.cascade.descendants, scope.cascade.influences
    neural = np.array([form.arch is Arch.NEURAL for form in all_.forms], np.bool_)[all_.form]
    marks: Marks = neural & (np.bincount(edges.target, _stands(scope.cascade)["retained"], len(all_.ids)) == 0)
    return marks


def _mark_objected(scope: Scope) -> Marks:
    return _mark_named(scope, scope.objections)


def _mark_faulty(scope: Scope) -> Marks:
    return _mark_named(scope, scope.cascade.descendants.faults)


def _mark_named(scope: Scope, named: Container[str]) -> Marks:
    ids = scope.cascade.descendants.ids
    return np.array([id_ in named for id_ in ids] if named else [False] * len(ids), np.bool_)


_MARKS: Mapping[Trigger, Callable[[Scope], Marks]] = {
    Trigger.ALWAYS: _mark_all,
    Trigger.SOURCE_GONE: _mark_source_gone,
    Trigger.NEURAL_UNSUPPORTED: _mark_neural_unsupported,
    Trigger.OBJECTED: _mark_objected,
    Trigger.FAULTY: _mark_faulty,
}
"""Trigger → which descendants it holds for; cycles are found with the order, by `judge_descendants`"""


def _stands(cascade: Cascade) -> dict[str, Marks]:
    """Mark which edges come from what is in service, and which of them from what the event did not touch."""
    inside = np.zeros(len(cascade.descendants.ids), np.bool_)
    outside = [source.standing for source in cascade.influences.outside]
    of = {"service": IN_SERVICE, "retained": {Standing.RETAINED}}
    columns = {name: np.append(inside, [how in good for how in outside]).astype(np.bool_) for name, good in of.items()}
    return {name: column[cascade.influences.source] for name, column in columns.items()}


def _judge_marked(scope: Scope, marks: Marks, cyclic: Marks, rank: Ints, pairs: Ints) -> dict[int, Eligibility]:
    """Judge the marked, and all whose sources do not all come, by index; each after its sources."""
    marked = np.flatnonzero(marks).tolist()
    if not marked:
        return {}
    rows = Rows(scope.cascade)
    cases = ((index, _case(scope, rows, index, cyclic)) for index in marked)
    eligibility = {index: judged for index, case in cases if (judged := first_objection(case, scope.rules))}
    waiting = _Waiting(rank, pairs)
    waiting.add(index for index in marked if index not in eligibility)
    for index in list(eligibility):
        waiting.add_dependents(index)
    for index in waiting:
        operator = scope.operator(index)
        if index in eligibility or operator is None:
            continue
        edges = rows.edges(index)
        known = {edge.source: eligibility.get(at, _FREE) for edge, at in zip(edges, rows.sources(index), strict=True)}
        eligibility[index] = judged = judge_by_sources(rows.artifact(index), edges, operator, known)
        if not judged.executable:
            waiting.add_dependents(index)
    return eligibility


def _case(scope: Scope, rows: Rows, index: int, cyclic: Marks) -> ArtifactCase:
    artifact = rows.artifact(index)
    form = Form(artifact.kind, artifact.arch, artifact.operator)
    return ArtifactCase(
        scope.form_case(form, artifact.embedded),
        rows.edges(index),
        scope.retired,
        scope.objections.get(artifact.id),
        bool(cyclic[index]),
        scope.cascade.descendants.faults.get(artifact.id, ""),
    )


class _Waiting:
    """Descendants that are to be judged, each once, sources before dependents; more may be added meanwhile."""

    def __init__(self, rank: Ints, pairs: Ints) -> None:
        users = Side.of(pairs[:, 1], pairs[:, 0])
        self._rank: list[int] = rank.tolist()
        self._users: list[int] = users.other.tolist()
        self._starts: list[int] = np.searchsorted(users.own, np.arange(rank.size + 1)).tolist()
        self._heap: list[tuple[int, int]] = []
        self._seen: set[int] = set()

    def add(self, indices: Iterable[int]) -> None:
        """Judge these too."""
        for index in indices:
            if index not in self._seen:
                self._seen.add(index)
                heapq.heappush(self._heap, (self._rank[index], index))

    def add_dependents(self, index: int) -> None:
        """Judge what names this one as a source."""
        self.add(self._users[self._starts[index] : self._starts[index + 1]])

    def __iter__(self) -> Iterator[int]:
        while self._heap:
            yield heapq.heappop(self._heap)[1]


def _needs(scope: Scope, hindered: Mapping[int, Eligibility], free: Marks) -> Side:
    """P of all that can be executed."""
    all_, edges = scope.cascade.descendants, scope.cascade.influences
    wanted = free[edges.target] & (edges.source < len(all_.ids)) & ~_served(scope.cascade)
    more = _numbered({at: judged.predecessors for at, judged in hindered.items()}, all_.ids)
    return Side.of(np.append(edges.target[wanted], more.own), np.append(edges.source[wanted], more.other))


def _served(cascade: Cascade) -> Marks:
    """Mark which edges are of a group of which any member is enough, and of which one is in service."""
    edges = cascade.influences
    group = edges.target * len(edges.roles) + edges.role
    any_ = edges.required == _ANY
    served: Marks = any_ & np.isin(group, group[any_ & _stands(cascade)["service"]])
    return served


def _supports(scope: Scope, hindered: Mapping[int, Eligibility], free: Marks) -> tuple[list[str], Side]:
    """Return the ids of sources in service, sorted; and which of them all that can be executed consume."""
    edges = scope.cascade.influences
    names = [source.id for source in edges.outside]
    rank = np.empty(len(names), np.int64)
    rank[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    names.sort()
    good = free[edges.target] & _stands(scope.cascade)["service"]
    more = _numbered({at: judged.supports for at, judged in hindered.items()}, names)
    number = rank[edges.source[good] - len(free)]
    return names, Side.of(np.append(edges.target[good], more.own), np.append(number, more.other))


def _numbered(named: Mapping[int, Sequence[str]], ids: Sequence[str]) -> Side:
    """Return what some indices name, by its indices among `ids`."""
    index = {id_: number for number, id_ in enumerate(ids)} if named else {}
    pairs = np.array([(at, index[id_]) for at, of_one in named.items() for id_ in of_one], np.int64).reshape(-1, 2)
    return Side.of(pairs[:, 0], pairs[:, 1])
