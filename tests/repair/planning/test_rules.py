"""A rule in the table decides on the fast path as it does one by one."""

from __future__ import annotations

import pytest

from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.vocabulary import EventType, Mode, Standing
from memorepair_graphdb.repair.planning.modes import barred
from memorepair_graphdb.repair.planning.rules import (
    RULES,
    ArtifactCase,
    ArtifactRule,
    FormCase,
    FormRule,
    exhaustive,
)
from tests.oracle import graphs
from tests.oracle import planning as oracle
from tests.repair.planning import test_candidates as small
from tests.repair.planning import test_plan as random_worlds

REASON = "summaries are closed today"


def close_summaries(case: FormCase):
    return barred(case.mode, REASON) if case.form.kind is Kind.SUMMARY else None


def close_those_with_two_sources(case: ArtifactCase):
    return barred(case.form.mode, REASON) if len(case.edges) == 2 else None


def decisions(plan):
    """All that a plan says, but the seconds that it took."""
    return plan.plan_id, plan.removed, list(plan.candidates), plan.counts


@pytest.mark.parametrize("rule", [FormRule(close_summaries), ArtifactRule(close_those_with_two_sources)])
def test_an_added_rule_is_asked_where_no_other_rule_has_anything_to_say(rule):
    affected = [small.root("doc"), small.cache("page"), small.note("note"), small.note("digest", cost=2.0)]
    edges = [
        small.edge("page", "doc", Standing.REPLACED),
        small.edge("note", "page"),
        small.edge("note", "other", Standing.RETAINED),
        small.edge("digest", "note"),
        small.edge("digest", "page"),
    ]
    terms = {"type_": EventType.CORRECT, "replaced": frozenset({"doc"})}
    before = small.plan_of(affected, edges, **terms)
    assert all(candidate.executable for candidate in before.candidates)
    plan = small.plan_of(affected, edges, **terms, rules=(*RULES, rule))
    found = {candidate.key: (candidate.executable, candidate.reason) for candidate in plan.candidates}
    assert found["note"] == found["digest"] == (False, REASON)
    assert found["page"][0]
    assert decisions(plan) == decisions(small.plan_of(affected, edges, **terms, rules=exhaustive((*RULES, rule))))


@pytest.mark.parametrize("added", [(), (FormRule(close_summaries),), (ArtifactRule(close_those_with_two_sources),)])
def test_the_fast_path_decides_as_the_rules_do_one_by_one(added):
    rules = (*RULES, *added)
    modes = set()
    for seed in range(150):
        world = graphs.random_world(seed, parallel_edges=seed % 2 == 1)
        expected = oracle.expected(world)
        plan = random_worlds.plan_of(world, expected, rules=rules)
        assert decisions(plan) == decisions(random_worlds.plan_of(world, expected, rules=exhaustive(rules))), seed
        modes |= set(plan.counts)
    assert modes == {mode.value for mode in Mode}
