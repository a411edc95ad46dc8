"""Versions of a key are numbered 1, 2, 3 in the order in which they came into service.

However they came: recorded, derived, corrected, repaired, held, loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memorepair_graphdb import RepairEvent
from tests.harness import dump
from tests.harness.fake_operators import Staff, word

if TYPE_CHECKING:
    from neo4j import Driver


def numbers(mr, key: str) -> list[tuple[int, str]]:
    return [(one.version, one.state) for one in reversed(mr.versions(key))]


def test_every_way_into_service_counts_on(memory, prepared: Driver, space: str):
    mr = memory(registry=Staff().registry)

    def derive(content: str, **about):
        return mr.derive(content, key="n", kind="summary", influenced_by=["kept"], operator="regen_some@1", **about)

    mr.record(word("kept"), key="kept")
    mr.record(word("doc 1"), key="doc")
    mr.repair(RepairEvent.correct({"doc": word("doc 2")}))
    mr.repair(RepairEvent.delete(["doc"]))
    assert mr.record(word("doc 3"), key="doc").version == 3
    assert mr.record(word("doc 3"), key="doc").version == 3
    mr.repair(RepairEvent.delete(["doc"]))
    assert mr.load([{"key": "doc", "kind": "record", "content": word("doc 4")}]).created == 1
    assert numbers(mr, "doc") == [(1, "Retired"), (2, "Retired"), (3, "Retired"), (4, "Visible")]

    assert derive(word("n 1")).version == 1
    mr.link("doc", "n")
    assert mr.repair(RepairEvent.delete(["doc"])).outcomes["n"] == "published"
    assert mr.get("n").version == 2
    mr.repair(RepairEvent.correct({"kept": word("kept 2")}), tradeoff="1000")
    assert derive(word("n 3")).version == 3
    mr.repair(RepairEvent.correct({"n": word("n 4")}))
    event = RepairEvent.delete(["n"])
    kept = mr.get("kept")
    opened = RepairEvent.correct({"kept": word("kept 3")})
    mr.repair(event)
    mr.withdraw(opened)
    held = mr.derive(word("n 5"), key="n", kind="summary", influenced_by=[kept], operator="regen_some@1", hold=True)
    assert (held.version, held.state) == (5, "Withdrawn")
    assert mr.resume(opened.id).outcomes == {"kept": "replaced", "n": "published"}
    assert numbers(mr, "n") == [(number, "Retired") for number in range(1, 6)] + [(6, "Visible")]
    assert numbers(mr, "kept") == [(1, "Retired"), (2, "Retired"), (3, "Visible")]
    chain = {(r["source"], r["target"]) for r in dump.relations(prepared, space) if r["type"] == "SUPERSEDES"}
    assert chain == {(number + 1, number) for number in range(1, 6)}
    assert mr.check().violations == ()


def test_the_newest_version_is_the_one_that_why_speaks_of(memory):
    mr = memory(registry=Staff().registry)
    mr.record(word("doc"), key="doc")
    mr.derive(word("n"), key="n", kind="summary", influenced_by=["doc"], operator="regen_some@1")
    mr.repair(RepairEvent.correct({"doc": word("doc 2")}), tradeoff="0")
    why = mr.why("n")
    assert (why.version, why.in_service) == (2, True)
    assert why.sentence.startswith("n (version 2) is in service, put there by event ")
    assert [(one["version"], one["state"]) for one in why.versions] == [(2, "Visible"), (1, "Retired")]
    old = mr.why(why.versions[1]["id"])
    assert (old.version, old.in_service, old.outcome) == (1, False, "published")
