"""A recipe that its operator cannot read is refused where it is recorded, and nothing is written."""

from __future__ import annotations

from memorepair_graphdb import MemoRepair
from memorepair_graphdb.errors import BadInput
from tests.harness.graph_state import refused
from tests.harness.lines import record, summary


def test_derive_refuses_it(mr: MemoRepair) -> None:
    mr.record("It rains.", key="a")
    with refused(mr, BadInput, "the recipe of s for summary@1: sentence: there is no such field", "sentences"):
        mr.derive("n", key="s", kind="summary", influenced_by="a", operator="summary@1", recipe={"sentence": 2})
    with refused(mr, BadInput, "is a JSON object, not list"):
        mr.derive("n", key="s", kind="summary", influenced_by="a", operator="summary@1", recipe=["x"])
    mr.derive("n", key="s", kind="summary", influenced_by="a", operator="summary@1", recipe={"sentences": 2})


def test_load_names_its_line(mr: MemoRepair) -> None:
    bad = summary("s", "a", operator="summary@1", recipe={"sentences": 0})
    with refused(mr, BadInput, "line 2: the recipe of s for summary@1: sentences: Input should be greater than"):
        mr.load([record("a"), bad])
    assert mr.load([record("a"), summary("s", "a", operator="else@1", recipe={"sentences": 0})]).created == 2
