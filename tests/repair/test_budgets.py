"""A budget holds from the preview to the last retry, and the frontier shows what it leaves out."""

from __future__ import annotations

import pytest

from memorepair_graphdb import RepairEvent
from memorepair_graphdb.errors import BadInput, NotFound
from tests.harness.fake_operators import Staff
from tests.repair.test_retry import laid_down

# laid_down: doc, kept → cheap (worth 4 at cost 1), fair (1 at 1), dear (1 at 4); a record r


def test_a_repair_never_costs_more_than_its_budget_and_says_what_that_kept_out(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    plan = mr.preview(event, tradeoff="0", budget=5)
    assert {c.key for c in plan.selected} == {"cheap", "fair"} or {c.key for c in plan.selected} == {"cheap", "dear"}
    assert (plan.budget, plan.cost <= 5, plan.choice.gap, plan.choice.status) == ("5", True, 0.0, "optimal")
    (left,) = [c for c in plan.candidates if not c.selected]
    assert left.reason.endswith("but the budget of 5 goes to others")
    assert plan.plan_id != mr.preview(event, tradeoff="0").plan_id
    report = mr.repair(event, tradeoff="0", budget=5, expect=plan.plan_id)
    assert report.counts == {"not_selected": 1, "published": 2, "removed": 2}
    assert report.reasons[left.key] == left.reason


def test_a_share_is_of_what_repairing_all_would_cost(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    assert {c.key for c in mr.preview(event, tradeoff="0", budget="34%").selected} == {"cheap", "fair"}
    assert {c.key for c in mr.preview(event, tradeoff="0", budget="33%").selected} == {"cheap"}
    assert len(mr.preview(event, tradeoff="0", budget="100%").selected) == 3


def test_whoever_resumes_keeps_the_budget_and_a_retry_can_widen_it(memory):
    staff = Staff()
    mr = memory(registry=staff.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    first = mr.repair(event, tradeoff="0", budget=1)
    assert first.counts == {"not_selected": 2, "published": 1, "removed": 2}
    assert mr.retry(event.id).outcomes["fair"] == "published"  # the budget is of each plan: 1 again, and `fair` costs 1
    assert mr.retry(event.id).outcomes["dear"] == "not_selected"
    assert mr.retry(event.id, budget="100%").counts == {"published": 3, "removed": 2}


def test_an_event_withdrawn_first_is_planned_with_the_budget_that_comes_with_resume(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    mr.withdraw(event)
    assert mr.resume(event.id, tradeoff="0", budget="1").counts["published"] == 1


def test_the_frontier_is_the_same_before_behind_and_after_the_barrier(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    before = mr.frontier(event)
    # both means are 2, so λ* is w/c; Repair all takes the three
    assert [(c.key, c.tradeoff) for c in before.candidates] == [("cheap", 4.0), ("fair", 1.0), ("dear", 0.25)]
    assert [(p.value, p.cost) for p in before.points] == [(4, 1), (5, 2), (6, 6)]
    assert (before.event_id, before.tradeoff, before.chosen.candidates) == (None, "0.3", 2)
    assert mr.check().violations == ()
    assert mr.get("cheap") is not None

    def same(report):
        return [(c.key, c.tradeoff) for c in report.candidates], report.points, report.knees

    mr.withdraw(event)
    behind = mr.frontier(event.id, tradeoff="2")
    assert same(behind) == same(before)
    assert (behind.event_id, behind.tradeoff, behind.chosen.candidates) == (event.id, "2", 1)
    mr.resume(event.id, tradeoff="1.2")
    after = mr.frontier(event.id)
    assert same(after) == same(before)
    assert (after.tradeoff, after.chosen.candidates) == ("1.2", 1)


def test_after_the_event_why_says_who_put_it_back_and_why(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.correct({"doc": "corrected"}, reason="a typo")
    mr.repair(event, tradeoff="1.2")
    why = mr.why("cheap")
    assert (why.in_service, why.event_id, why.outcome) == (True, event.id, "published")
    assert why.reason == "worth it: value 4 against cost 1 at λ = 1.2"
    assert (
        why.sentence
        == f"cheap (version 2) is in service, put there by event {event.id} (correct: a typo): {why.reason}"
    )
    assert mr.why("doc").outcome == "replaced"
    assert mr.why("fair").reason.startswith("not worth it: value 1 against cost 1 at λ = 1.2 falls short by")


def test_no_budget_no_event_and_no_plan_are_refused_before_anything_is_written(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    with pytest.raises(BadInput, match="a budget is a number of tokens"):
        mr.repair(event, budget="all")
    with pytest.raises(NotFound):
        mr.status(event.id)
    with pytest.raises(NotFound):
        mr.frontier(event.id)
