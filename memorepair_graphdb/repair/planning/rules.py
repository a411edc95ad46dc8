"""Holds the rules that say what stands in the way of one affected artifact, whatever becomes of its sources.

All are pure functions of one artifact and its incoming edges (paper section 2.3; design, section 6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import TypeAlias

from ...model.artifact import Arch, Kind
from ...model.cascade import Form, Influence
from ...model.vocabulary import Mode, Standing
from ...operators.protocol.registry import Operator
from .by_sources import groups, name_role, name_sources, need_of
from .modes import Eligibility, barred, mode_of, removed


class Trigger(StrEnum):
    """Says where a rule can have something against an artifact; the fast path asks it there alone."""

    ALWAYS = auto()
    """anywhere: it is asked about every artifact of the cascade, one by one"""
    SOURCE_GONE = auto()
    """where a source is neither affected nor in service, or there is none"""
    NEURAL_UNSUPPORTED = auto()
    """at a neural skill of which no source is retained"""
    OBJECTED = auto()
    """where something was found against the artifact before the rules were asked"""
    FAULTY = auto()
    """where what is stored of the artifact cannot be read"""
    CYCLIC = auto()
    """on a cycle of influence"""


@dataclass(frozen=True, slots=True)
class FormCase:
    """What a rule of forms may look at: the same for all artifacts of one form, embedded or not."""

    form: Form
    operator: Operator | None
    """None where it is not registered"""
    embedded: bool
    embeddable: bool
    """whether a successor of an embedded artifact can do with what there is"""
    retracts: bool = False
    """whether the event takes texts back: what it affects rests on them, and so may its own content"""

    @property
    def mode(self) -> Mode:
        """The mode of the form."""
        return mode_of(self.form.kind, self.form.arch)


@dataclass(frozen=True, slots=True)
class ArtifactCase:
    """What a rule of artifacts may look at; nothing of it hangs on what the sources become."""

    form: FormCase
    edges: Sequence[Influence]
    retired: frozenset[str]
    """ids of contracts that this event retired, so that the reason says so"""
    objection: Eligibility | None
    """what was found against the artifact before the rules were asked: its operator refuses it, or its recipe quotes"""
    cyclic: bool
    fault: str = ""
    """what is stored and is no value of its property; empty where all is in order"""


@dataclass(frozen=True, slots=True)
class FormRule:
    """A rule that is asked once for all artifacts of a form: it gives their eligibility, None for no objection."""

    judge: Callable[[FormCase], Eligibility | None]

    def ask(self, case: ArtifactCase) -> Eligibility | None:
        """Apply the rule to one artifact."""
        return self.judge(case.form)


@dataclass(frozen=True, slots=True)
class ArtifactRule:
    """A rule that is asked about one artifact: it gives its eligibility, None for no objection."""

    judge: Callable[[ArtifactCase], Eligibility | None]
    trigger: Trigger = Trigger.ALWAYS

    def ask(self, case: ArtifactCase) -> Eligibility | None:
        """Apply the rule to one artifact."""
        return self.judge(case)


Rule: TypeAlias = FormRule | ArtifactRule


def first_objection(case: ArtifactCase, rules: Iterable[Rule]) -> Eligibility | None:
    """Return what the first rule that has something against an artifact makes of it; None where none has."""
    return next((eligibility for rule in rules if (eligibility := rule.ask(case)) is not None), None)


def exhaustive(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return the same rules, each asked about every artifact one by one: slow, for comparing the fast path with."""
    return tuple(ArtifactRule(rule.ask) for rule in rules)


def _is_derived_record(case: FormCase) -> Eligibility | None:
    return removed("it is a derived record, which is never rewritten") if case.form.kind is Kind.RECORD else None


def _names_no_operator(case: FormCase) -> Eligibility | None:
    return removed("it names no operator that could make it again") if case.form.operator is None else None


def _lost_sources(case: ArtifactCase) -> Eligibility | None:
    edges = case.edges
    for edge in edges:
        if edge.standing is Standing.DELETED and need_of(edge, case.form.operator) is True:
            state = "retired" if edge.source in case.retired else "deleted"
            return removed(f"its source {edge.source_key} was {state}")
    if all(edge.standing is Standing.DELETED for edge in edges):
        return removed(f"all its sources are gone: {name_sources(edges)}" if edges else "it has no source left")
    for role, members in groups(edges).items():
        if all(edge.standing is Standing.DELETED for edge in members):
            return removed(f"all its sources{name_role(role)} are gone: {name_sources(members)}")
    return None


def _has_nothing_to_cite(case: ArtifactCase) -> Eligibility | None:
    if case.form.form.arch is Arch.NEURAL and not any(edge.standing is Standing.RETAINED for edge in case.edges):
        return removed("it is a neural skill, and no source of it is retained that it could cite")
    return None


def _is_faulty(case: ArtifactCase) -> Eligibility | None:
    return barred(case.form.mode, f"it {case.fault}: mend it, then retry") if case.fault else None


def _is_objected_to(case: ArtifactCase) -> Eligibility | None:
    return case.objection


def _operator_does_not_fit(case: FormCase) -> Eligibility | None:
    form, operator, mode = case.form, case.operator, case.mode
    if operator is None:
        return barred(mode, f"its operator {form.operator} is not registered here")
    kind = f"{form.arch} {form.kind}" if form.arch else form.kind
    if operator.mode is not mode:
        return barred(mode, f"its operator {operator.name} does {operator.mode}, and a {kind} needs {mode}")
    if not operator.suits(form.kind, form.arch):
        return barred(
            mode, f"its operator {operator.name} is made for {', '.join(operator.kinds)}, and this is a {kind}"
        )
    if operator.lacks:
        return barred(mode, f"its operator {operator.name} {operator.lacks}")
    return None


def _rewrites_retracted(case: FormCase) -> Eligibility | None:
    if case.retracts and case.operator is not None and case.operator.rewrites:
        name = case.operator.name
        return barred(case.mode, f"its operator {name} rewrites what was there, and that rests on what was retracted")
    return None


def _cannot_be_embedded(case: FormCase) -> Eligibility | None:
    if case.embedded and not case.embeddable:
        return barred(case.mode, "there is no embedder to embed its successor")
    return None


def _lies_on_cycle(case: ArtifactCase) -> Eligibility | None:
    return barred(case.form.mode, "it lies on a cycle of influence") if case.cyclic else None


RULES: tuple[Rule, ...] = (
    FormRule(_is_derived_record),
    FormRule(_names_no_operator),
    ArtifactRule(_lost_sources, Trigger.SOURCE_GONE),
    ArtifactRule(_has_nothing_to_cite, Trigger.NEURAL_UNSUPPORTED),
    ArtifactRule(_is_faulty, Trigger.FAULTY),
    ArtifactRule(_is_objected_to, Trigger.OBJECTED),
    FormRule(_operator_does_not_fit),
    FormRule(_rewrites_retracted),
    FormRule(_cannot_be_embedded),
    ArtifactRule(_lies_on_cycle, Trigger.CYCLIC),
)
"""What stands in the way of an artifact whatever becomes of its sources; the first rule that objects decides.

A rule added here is asked on the fast path too: about every form, or about every artifact unless its trigger says less.
"""
