"""Single rules of planning, their reasons, and what is refused. One small cascade a sentence."""

from __future__ import annotations

import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.cascade import Affected, Influence
from memorepair_graphdb.model.vocabulary import EventType, Standing
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.planning.plan import plan
from tests.harness.cascades import cascade_of


def registry():
    made = Registry()
    made.operator("replay@1", mode="recompute", support="all")(lambda context: "")
    made.operator("summary@1", mode="regen", support="available")(lambda context: "")
    made.operator("unlearn@1", mode="param", support="available")(lambda context: "")
    return made


def root(key):
    return Affected(key, key, Kind.RECORD, None, None, None, None, False, True)


def cache(key, operator="replay@1", value=1.0, cost=1.0, **changed):
    return Affected(key, key, Kind.CACHE, None, operator, value, cost, False, False)._replace(**changed)


def note(key, operator="summary@1", value=1.0, cost=1.0, **changed):
    return Affected(key, key, Kind.SUMMARY, None, operator, value, cost, False, False)._replace(**changed)


def edge(target, source, standing=Standing.AFFECTED, required=None, role=None):
    return Influence(target, source, source, role, required, standing)


def plan_of(affected, influences, type_=EventType.DELETE, **changed):
    means = {name: changed.pop(name) for name in ("value_mean", "cost_mean") if name in changed}
    scope = cascade_of("e", type_, affected, influences, **means)
    asked = {
        "event": {},
        "delta": "{}",
        "replaced": frozenset(),
        "operators": registry(),
        "tradeoff": "0.3",
        "estimate": lambda artifact, edges, operator: 1.0,
        "embedder": None,
    }
    return plan(scope, **{**asked, **changed})


def reasons(made):
    return {told.key: told.reason for told in (*made.removed, *made.candidates)}


def test_a_reason_names_the_rule_the_key_and_one_step_of_cause():
    made = plan_of(
        [root("doc/x"), cache("cache/12"), cache("cache/13"), note("note/7"), note("note/8")],
        [
            edge("cache/12", "doc/x", Standing.DELETED),
            edge("cache/13", "cache/12"),
            edge("note/7", "cache/13", required=True),
            edge("note/8", "note/7", required=True),
        ],
    )
    assert reasons(made) == {
        "doc/x": "its deletion was asked for",
        "cache/12": "its source doc/x was deleted",
        "cache/13": "needs cache/12, which is removed: its source doc/x was deleted",
        "note/7": "needs cache/13, which is not executable: it needs cache/12, which is removed",
        "note/8": "needs note/7, which is not executable: it needs cache/13, which is not executable",
    }


def test_a_retired_contract_is_a_deleted_root_and_a_new_one_is_support():
    affected = [root("doc/old"), root("doc/new"), cache("cache/1"), cache("cache/2")]
    edges = [edge("cache/1", "doc/old", Standing.DELETED), edge("cache/2", "doc/new", Standing.REPLACED)]
    made = plan_of(affected, edges, EventType.MIGRATE, replaced=frozenset({"doc/new"}))
    assert {told.key: told.reason for told in made.removed} == {
        "doc/old": "its contract was retired",
        "cache/1": "its source doc/old was retired",
    }
    (candidate,) = made.candidates
    assert (candidate.key, candidate.support_ids, candidate.predecessors) == ("cache/2", ("doc/new",), ())
    assert made.cascade == ("cache/1", "cache/2", "doc/new", "doc/old")
    assert made.counts == {"remove": 1, "recompute": 1}


def test_what_is_selected_for_another_says_for_whom():
    made = plan_of(
        [root("doc"), cache("cache/1", value=0.0, cost=3.0), note("note/7", value=10.0)],
        [
            edge("cache/1", "doc", Standing.DELETED, required=False),
            edge("cache/1", "kept", Standing.RETAINED),
            edge("note/7", "cache/1", required=True),
        ],
    )
    assert reasons(made)["cache/1"] == "needed by note/7"
    assert reasons(made)["note/7"] == "worth it: value 10 against cost 1 at λ = 0.3"
    assert [candidate.key for candidate in made.selected] == ["cache/1", "note/7"]
    assert (made.value, made.cost, made.value_mean, made.cost_mean) == (10.0, 4.0, 5.0, 2.0)


def test_what_is_worth_it_alone_says_what_it_lacks():
    made = plan_of(
        [root("doc"), cache("cache/1", value=0.0, cost=100.0), note("note/7", value=1.0, cost=1.0)],
        [edge("cache/1", "kept", Standing.RETAINED), edge("note/7", "cache/1", required=True)],
        tradeoff="2",
    )
    assert reasons(made)["note/7"] == "worth it alone, but needs cache/1, which is not selected"
    assert reasons(made)["cache/1"].startswith("not worth it: value 0 against cost 100 at λ = 2 falls short by 3.96 of")


def test_a_neural_skill_is_repaired_only_beside_a_retained_source():
    skill = note("skill/1", operator="unlearn@1", kind=Kind.SKILL, arch=Arch.NEURAL)
    forget = edge("skill/1", "doc", Standing.REPLACED)
    alone = plan_of([root("doc"), skill], [forget], EventType.CORRECT, replaced=frozenset({"doc"}))
    assert [told.key for told in alone.removed] == ["skill/1"]
    cited = [forget, edge("skill/1", "kept", Standing.RETAINED)]
    beside = plan_of([root("doc"), skill], cited, EventType.CORRECT, replaced=frozenset({"doc"}))
    assert [candidate.mode for candidate in beside.candidates] == ["param"]


def test_a_required_edge_wins_over_a_group_that_would_leave_the_source_out():
    edges = [
        edge("note/1", "kept", Standing.RETAINED),
        edge("note/2", "note/1", required="any", role="a"),
        edge("note/2", "kept", Standing.RETAINED, required="any", role="a"),
    ]
    affected = [root("doc"), note("note/1"), note("note/2")]
    assert plan_of(affected, edges).candidates[1].predecessors == ()
    both = plan_of(affected, [*edges, edge("note/2", "note/1", required=True, role="b")])
    assert both.candidates[1].predecessors == ("note/1",)


def test_the_estimate_is_asked_only_where_no_cost_is_given_and_the_operator_is_known():
    asked = []

    def estimate(artifact, edges, operator):
        asked.append((artifact.key, len(edges), operator.name))
        return 7.0

    made = plan_of(
        [
            root("doc"),
            note("a", cost=None),
            note("b"),
            note("c", "lost@1", cost=None),
            note("d", "replay@1", cost=None),
        ],
        [edge(key, source, Standing.RETAINED) for key in "abcd" for source in ("x", "y")],
        estimate=estimate,
    )
    assert sorted(asked) == [("a", 2, "summary@1"), ("d", 2, "replay@1")]
    assert {c.key: c.cost for c in made.candidates} == {"a": 7.0, "b": 1.0, "c": 1.0, "d": 7.0}


def test_a_retry_keeps_the_scale_of_the_first_plan():
    affected, edges = [root("doc"), note("a", value=3.0)], [edge("a", "kept", Standing.RETAINED)]
    assert [c.key for c in plan_of(affected, edges, tradeoff="2").selected] == []
    kept = plan_of(affected, edges, tradeoff="2", value_mean=1.0, cost_mean=1.0)
    assert [c.key for c in kept.selected] == ["a"]
    assert (kept.value_mean, kept.cost_mean) == (1.0, 1.0)


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_a_wrong_value_cost_or_estimate_is_refused_with_the_key(wrong):
    edges = [edge("note/1", "kept", Standing.RETAINED)]
    with pytest.raises(BadInput, match="note/1: its value"):
        plan_of([root("doc"), note("note/1", value=wrong)], edges)
    with pytest.raises(BadInput, match="note/1: its cost"):
        plan_of([root("doc"), note("note/1", cost=wrong)], edges)
    with pytest.raises(BadInput, match="note/1: its cost"):
        plan_of([root("doc"), note("note/1", cost=None)], edges, estimate=lambda *asked: wrong)


def test_a_cascade_that_contradicts_itself_is_refused():
    with pytest.raises(BadInput, match="twice"):
        plan_of([root("doc"), note("a"), note("a")], [])
    with pytest.raises(BadInput, match="has no replacement"):
        plan_of([root("doc")], [], EventType.CORRECT)


def test_an_event_that_affects_nothing_else_has_an_empty_plan():
    made = plan_of([root("doc")], [])
    assert (made.candidates, made.counts, made.value, made.cost) == ((), {}, 0.0, 0.0)


def chain(size):
    affected = [root("doc"), *(cache(f"c/{i}") for i in range(size))]
    edges = [edge("c/0", "kept", Standing.RETAINED), *(edge(f"c/{i}", f"c/{i - 1}") for i in range(1, size))]
    return affected, edges


def test_a_chain_of_a_hundred_thousand_is_planned_without_recursion():
    made = plan_of(*chain(100_000), tradeoff="0.99")
    assert (len(made.selected), made.candidates[-1].level) == (100_000, 99_999)


def test_reasons_stay_short_along_a_chain():
    affected, edges = chain(3000)
    stuck = plan_of([affected[0], cache("c/0", "lost@1"), *affected[2:]], edges)
    assert not stuck.selected
    assert max(len(candidate.reason) for candidate in stuck.candidates) < 120
