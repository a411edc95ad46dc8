"""Summaries written again by summary@2 and llm@1, on a real graph and against a real server, after a deletion.

What was deleted is searched for in all that is in service and in all that went over the wire.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memorepair_graphdb import Registry, RepairEvent
from memorepair_graphdb.operators.builtin.llm.endpoint import Endpoint
from memorepair_graphdb.operators.builtin.llm.operator import register as register_llm
from memorepair_graphdb.operators.builtin.summary.summary_2 import register as register_extract
from tests.harness.chat_server import completion, fails, serving

if TYPE_CHECKING:
    from collections.abc import Callable

    from memorepair_graphdb import MemoRepair

ANN = "Ann Berg of 4 Elm Road waits for the refund of order 88127."
FERRY = "The ferry to Kiel leaves at 14:00. Passengers must be there one hour before."
DECK = "Dogs are allowed on deck 9. The restaurant on deck 7 opens at noon."
TRACES = ("Ann", "Berg", "Elm", "88127", "refund")


def by_source(request: dict[str, Any]) -> Any:
    """Write the first sentence of what is quoted; a request about dogs finds the server out of order."""
    quoted = request["messages"][1]["content"].split("\n")
    if "Dogs" in quoted[1]:
        return fails(500)(request)
    return completion({"sentences": [{"text": f"{quoted[1].split('. ')[0]}.", "sources": ["S1"]}]})


def laid_down(mr: MemoRepair) -> None:
    ann, ferry, deck = mr.record(ANN, key="ann"), mr.record(FERRY, key="ferry"), mr.record(DECK, key="deck")
    for key, operator, sources in (
        ("sum/copied", "summary@2", [ann, ferry, deck]),
        ("sum/written", "llm@1", [ann, ferry]),
        ("sum/failing", "llm@1", [ann, deck]),
    ):
        old = " ".join(str(source.content) for source in sources)
        mr.derive(old, key=key, kind="summary", influenced_by=sources, operator=operator, recipe={"sentences": 2})
    mr.derive("all", key="sum/all", kind="summary", influenced_by=["sum/copied", "sum/written"], operator="summary@2")


def test_a_server_that_fails_for_one_summary_leaves_that_one_withdrawn_and_nothing_else(
    memory: Callable[..., MemoRepair],
) -> None:
    with serving(by_source) as server:
        registry = Registry()
        register_extract(registry)
        register_llm(registry, Endpoint(base_url=server.base_url, model="scripted", timeout=10.0), retries=1)
        mr = memory(registry=registry)
        laid_down(mr)
        report = mr.repair(RepairEvent.delete(["ann"]), tradeoff=0)
    assert report.outcomes == {
        "ann": "removed",
        "sum/copied": "published",
        "sum/written": "published",
        "sum/failing": "operator_failed",
        "sum/all": "published",
    }
    assert "the model's endpoint answered 500" in report.reasons["sum/failing"]
    assert mr.get("sum/failing") is None

    written, copied, whole = (mr.get(f"sum/{name}") for name in ("written", "copied", "all"))
    assert written is not None
    assert written.content == "The ferry to Kiel leaves at 14:00."
    assert written.metadata == {"sources": [["ferry"]]}
    assert copied is not None
    assert copied.content is not None
    lines, sources = copied.content.split("\n"), copied.metadata["sources"]
    texts = {"ferry": FERRY, "deck": DECK}
    assert len(lines) == len(sources) == 2
    assert all(line in texts[key] for line, keys in zip(lines, sources, strict=True) for key in keys)
    assert whole is not None
    assert whole.content is not None
    assert all(line in f"{written.content}\n{copied.content}" for line in whole.content.split("\n"))

    assert len(server.requests) == 3, "one answered, one that failed and was tried again"
    for body in (*server.requests, written.content, copied.content, whole.content):
        assert not [trace for trace in TRACES if trace in body]
    assert json.loads(server.requests[0])["model"] == "scripted"


def test_an_endpoint_that_is_down_fails_its_summaries_and_a_retry_brings_them_back(
    memory: Callable[..., MemoRepair],
) -> None:
    with serving(by_source) as server:
        url = server.base_url
    registry = Registry()
    register_extract(registry)
    register_llm(registry, Endpoint(base_url=url, model="scripted", timeout=10.0), retries=0)
    mr = memory(registry=registry)
    laid_down(mr)
    event = RepairEvent.delete(["ann"])
    report = mr.repair(event, tradeoff=0)
    assert report.outcomes["sum/copied"] == "published"
    assert report.outcomes["sum/written"] == report.outcomes["sum/failing"] == "operator_failed"
    assert report.outcomes["sum/all"] == "predecessor_missing"
    assert "cannot be reached" in report.reasons["sum/written"]

    with serving(by_source) as server:
        mended = Registry()
        register_extract(mended)
        register_llm(mended, Endpoint(base_url=server.base_url, model="scripted", timeout=10.0), retries=0)
        later = memory(registry=mended).retry(event.id, tradeoff=0)
    assert later.outcomes["sum/written"] == later.outcomes["sum/all"] == "published"
