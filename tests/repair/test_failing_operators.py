"""Operators that fail in every way they can: each has its exact outcome, what needs it stays away, the rest goes on.

What failed is withdrawn, is found by nobody, and says why.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb import Payload, Registry, RepairEvent, Verdict
from tests.harness import dump

if TYPE_CHECKING:
    from memorepair_graphdb import Context

SECRET = "Anna Karlsson lives at Nybrogatan 17 in Stockholm."
KEPT = "The office is open from nine to five."
TURN = itertools.count()

registry = Registry()


def operator(name: str, mode: str, **options):
    return registry.operator(name, mode=mode, support="available", **options)


@operator("fine@1", "recompute")
def fine(context: Context) -> str:
    return " ".join(sorted(source.content for source in context.supports))


@operator("write@1", "regen")
async def write(context: Context) -> str:
    await asyncio.sleep(0)
    return " ".join(sorted(source.content for source in context.supports))


@operator("leaks@1", "recompute")
def leaks(context: Context) -> str:
    return f"{KEPT} {SECRET}"


@operator("leaks_a_name@1", "regen")
def leaks_a_name(context: Context) -> str:
    return "Somebody called Karlsson came by."


@operator("leaks_in_metadata@1", "recompute")
def leaks_in_metadata(context: Context) -> Payload:
    return Payload(KEPT, metadata={"about": "Nybrogatan 17"})


@operator("raises@1", "recompute")
def raises(context: Context) -> str:
    raise ValueError("the model\nis away")


@operator("exits@1", "recompute")
def exits(context: Context) -> str:
    raise SystemExit(3)


@operator("hangs@1", "recompute", timeout=0.3)
def hangs(context: Context) -> str:
    time.sleep(5)
    return KEPT


@operator("spins@1", "regen", timeout=0.3)
def spins(context: Context) -> str:
    while True:
        pass


@operator("waits@1", "regen", timeout=0.3)
async def waits(context: Context) -> str:
    await asyncio.sleep(30)
    return KEPT


@operator("nothing@1", "recompute")
def nothing(context: Context) -> None:
    return None


@operator("blank@1", "recompute")
def blank(context: Context) -> str:
    return "  \n"


@operator("number@1", "recompute")
def number(context: Context) -> int:
    return 42


@operator("bytes@1", "recompute")
def some_bytes(context: Context) -> bytes:
    return b"text"


@operator("wavers@1", "recompute")
def wavers(context: Context) -> dict:
    return {"turn": next(TURN)}


@operator("fails_again@1", "recompute")
def fails_again(context: Context) -> str:
    if next(TURN) % 2:
        raise ValueError("not twice")
    return KEPT


@operator("doubted@1", "regen")
def doubted(context: Context) -> str:
    return KEPT


@registry.validator("doubted@1")
def not_good(review, content):
    return Verdict(False, "tone", "too dry")


@operator("unjudged@1", "regen")
def unjudged(context: Context) -> str:
    return KEPT


@registry.validator("unjudged@1")
def broken(review, content):
    raise KeyError("verdict")


@operator("misjudged@1", "regen")
def misjudged(context: Context) -> str:
    return KEPT


@registry.validator("misjudged@1")
def mumbles(review, content):
    return "fine by me"


@operator("slow_judge@1", "regen", timeout=0.3)
def slowly_judged(context: Context) -> str:
    return KEPT


@registry.validator("slow_judge@1")
def slow(review, content):
    time.sleep(5)
    return True


ENDINGS = {
    "leaks": ("rejected", "residue: the sentence 'anna karlsson lives at nybrogatan 17 in stockholm'"),
    "leaks_a_name": ("rejected", "residue: the name 'Karlsson' is from a retracted text"),
    "leaks_in_metadata": ("rejected", "residue: "),
    "raises": ("operator_failed", "ValueError: the model is away"),
    "exits": ("operator_failed", "SystemExit: 3"),
    "hangs": ("operator_failed", "no answer within 0.3 s"),
    "spins": ("operator_failed", "no answer within 0.3 s"),
    "waits": ("operator_failed", "no answer within 0.3 s"),
    "nothing": ("operator_failed", "returned nothing (None)"),
    "blank": ("operator_failed", "returned nothing (an empty text)"),
    "number": ("operator_failed", "returned int; an operator returns str, dict, list or Payload"),
    "bytes": ("operator_failed", "returned bytes; an operator returns str, dict, list or Payload"),
    "wavers": ("rejected", "replay: a second replay differs: $.turn: "),
    "fails_again": ("rejected", "replay: ValueError: not twice"),
    "doubted": ("rejected", "tone: too dry"),
    "unjudged": ("rejected", "broken: KeyError: 'verdict'"),
    "misjudged": ("rejected", "mumbles: said 'fine by me'; a validator says True, False or a Verdict"),
    "slow_judge": ("rejected", "slow: no answer within 0.3 s"),
}


def laid_down(mr) -> None:
    """For each operator an artifact over the secret and what is kept; a note on each; and one note on all of them."""
    mr.record(SECRET, key="doc/secret")
    mr.record(KEPT, key="doc/kept")
    modes = {one.name: one.mode for one in registry}
    for name in (*ENDINGS, "fine", "write"):
        kind = "cache" if modes[f"{name}@1"] == "recompute" else "summary"
        sources = ["doc/secret", "doc/kept"]
        mr.derive(f"{SECRET} {KEPT} {name}", key=name, kind=kind, influenced_by=sources, operator=f"{name}@1")
        mr.derive(f"on {name}: {SECRET}", key=f"on {name}", kind="summary", influenced_by=[name], operator="write@1")
    mr.derive("beside", key="beside", kind="summary", influenced_by=["doc/kept"], operator="write@1")


@pytest.fixture
def repaired(memory, prepared, space):
    """One repair with every failing operator in it."""
    mr = memory(registry=registry, workers=3)
    laid_down(mr)
    began = time.monotonic()
    report = mr.repair(RepairEvent.delete(["doc/secret"]), tradeoff="0")
    return mr, report, time.monotonic() - began


def test_each_failure_has_its_outcome_and_the_rest_goes_on(repaired, prepared, space):
    mr, report, seconds = repaired
    assert report.status == "closed"
    assert {name: report.outcomes[name] for name in ENDINGS} == {name: ending[0] for name, ending in ENDINGS.items()}
    unsaid = {
        name: report.reasons[name] for name, (_, begin) in ENDINGS.items() if not report.reasons[name].startswith(begin)
    }
    assert unsaid == {}
    assert {name: report.outcomes[f"on {name}"] for name in ENDINGS} == dict.fromkeys(ENDINGS, "predecessor_missing")
    assert report.reasons["on raises"] == "needs raises, which ended as operator_failed"
    assert {key: mr.get(key).content for key in ("fine", "on fine", "write", "on write", "beside")} == {
        "fine": KEPT,
        "on fine": KEPT,
        "write": KEPT,
        "on write": KEPT,
        "beside": "beside",
    }
    assert report.counts == {
        "operator_failed": 9,
        "predecessor_missing": 18,
        "published": 4,
        "rejected": 9,
        "removed": 1,
    }
    assert seconds < 120

    gone = [key for name in ENDINGS for key in (name, f"on {name}")]
    assert {key: mr.get(key) for key in gone} == dict.fromkeys(gone)
    states = {(a["key"], a["version"]): a["states"] for a in dump.artifacts(prepared, space)}
    assert {key: states[key, 1] for key in gone} == {key: ["Withdrawn"] for key in gone}
    assert {version for key, version in states if key in gone} == {1}
    assert [hit.artifact.key for hit in mr.search("Karlsson Nybrogatan Stockholm", k=50, by="text")] == []


def test_what_failed_tells_its_checks_and_its_reason(repaired, prepared, space):
    mr, _, _ = repaired
    why = mr.why("doubted")
    assert (why.in_service, why.outcome, why.reason) == (False, "rejected", "tone: too dry")
    with prepared.session() as session:
        checks = session.run(
            "MATCH (:RepairEvent {space: $space})-[r:AFFECTS]->(:Artifact {key: 'doubted'}) RETURN r.checks AS checks",
            space=space,
        ).single()["checks"]
    assert [(check["check"], check["ok"], check["verdict"]) for check in json.loads(checks)] == [
        ("schema", True, "not_applicable"),
        ("regression", True, "not_applicable"),
        ("residue", True, "ok"),
        ("tone", False, "failed"),
    ]


def test_a_failed_operator_that_is_mended_is_retried_with_all_that_needs_it(repaired, memory):
    _, report, _ = repaired
    mended = Registry()
    for one in registry:
        mended.operator(one.name, mode=one.mode, support=one.support)(fine)
    mr = memory(registry=mended)
    again = mr.retry(report.event_id, tradeoff="0")
    assert again.counts == {"published": 40, "removed": 1}
    assert mr.get("on leaks").content == KEPT
    assert mr.get("on leaks").version == 2
