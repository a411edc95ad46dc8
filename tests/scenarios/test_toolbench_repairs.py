"""The memory of 765 real tasks, loaded, and repaired after a deletion, a correction and a migration.

What is expected comes from networkx, HiGHS and the texts themselves, not from the code under test.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from typing import Any

import highspy
import networkx as nx
import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.evaluation.workloads.toolbench import users
from tests.harness.toolbench import whole_memory

WORD = re.compile(r"[^\W_]+")


@pytest.fixture(scope="module")
def lines() -> list[dict[str, Any]]:
    return whole_memory()


@pytest.fixture(scope="module")
def memory(driver, lines) -> MemoRepair:
    """The whole memory in a space of its own; the tests below go through its life in order."""
    mr = MemoRepair(driver, space=f"t_toolbench_{os.getpid()}")
    mr.setup()
    report = mr.load(lines)
    assert report.created == len(lines)
    return mr


@pytest.fixture(scope="module")
def published() -> dict[str, set[str]]:
    """Kind (and arch) → keys that came back, over all events."""
    return defaultdict(set)


def words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


def live_graph(driver, space: str) -> nx.DiGraph:
    """The influence edges among live artifacts, by key, read with a statement of our own."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    with driver.session() as session:
        for row in session.run(
            "MATCH (a:Artifact {space: $space}) WHERE a:Visible OR a:Withdrawn "
            "OPTIONAL MATCH (a)-[:INFLUENCES]->(b) RETURN a.key AS key, collect(b.key) AS targets",
            space=space,
        ):
            graph.add_node(row["key"])
            graph.add_edges_from((row["key"], target) for target in row["targets"])
    return graph


def visible(driver, space: str) -> list[dict[str, Any]]:
    with driver.session() as session:
        return [dict(row["a"]) for row in session.run("MATCH (a:Visible {space: $space}) RETURN a", space=space)]


def smallest_optimum(plan) -> set[str]:
    """The selection by integer programming; each repair costs 1e-7 more, so that size breaks ties."""
    candidates = plan.candidates
    values = [Fraction(Decimal(repr(c.value))) for c in candidates]
    costs = [Fraction(Decimal(repr(c.cost))) for c in candidates]
    value_mean = sum(values) / len(values) or Fraction(1)
    cost_mean = sum(costs) / len(costs) or Fraction(1)
    ratio = Fraction(Decimal(plan.tradeoff))
    profits = [v / value_mean - ratio * c / cost_mean for v, c in zip(values, costs, strict=True)]
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("mip_rel_gap", 0.0)
    x = [
        solver.addVariable(0, int(c.executable), -float(p) + 1e-7, highspy.HighsVarType.kInteger)
        for c, p in zip(candidates, profits, strict=True)
    ]
    number = {c.id: position for position, c in enumerate(candidates)}
    for c in candidates:
        for needed in c.predecessor_ids:
            solver.addConstr(x[number[c.id]] - x[number[needed]] <= 0)
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    taken = solver.getSolution().col_value
    return {c.key for c, share in zip(candidates, taken, strict=True) if share > 0.5}


def repaired(driver, memory: MemoRepair, event: RepairEvent, published: dict[str, set[str]]):
    """Preview and repair; cascade and selection are held against the oracles, the end against the invariants."""
    graph = live_graph(driver, memory.space)
    plan = memory.preview(event)
    reached = set(event.roots).union(*(nx.descendants(graph, root) for root in event.roots))
    assert set(plan.cascade) == reached
    assert {c.key for c in plan.selected} == smallest_optimum(plan)
    report = memory.repair(event, expect=plan.plan_id)
    assert report.status == "closed"
    assert set(report.outcomes) == reached
    kinds = {c.key: c.arch or c.kind for c in plan.candidates}
    for key, outcome in report.outcomes.items():
        if outcome == "published":
            published[str(kinds[key])].add(key)
    assert memory.check().violations == ()
    return plan, report


def words_of_their_own(lines: list[dict[str, Any]]) -> tuple[list[str], set[str]]:
    """The user with five requests who says most that no other source says; and these words."""
    said = defaultdict(set)
    for line in lines:
        if line["kind"] == "record":
            content = line["content"]
            for word in words(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)):
                said[word].add(line["key"])
    five = [keys for keys in users(lines).values() if len(keys) == 5]
    alone = [{word for word, keys in said.items() if keys <= set(chosen)} for chosen in five]
    most = max(range(len(five)), key=lambda n: len(alone[n]))
    return five[most], alone[most]


def test_one_users_five_requests_are_deleted_and_no_word_of_theirs_alone_is_served(driver, memory, lines, published):
    chosen, alone = words_of_their_own(lines)
    assert len(alone) >= 10, "the oracle must have words to look for"
    plan, report = repaired(driver, memory, RepairEvent.delete(chosen, reason="the user asked"), published)
    assert all(report.outcomes[key] == "removed" for key in chosen)
    assert len(plan.cascade) > 20
    assert report.counts["published"] > 5
    for artifact in visible(driver, memory.space):
        held = words(" ".join(str(artifact.get(name, "")) for name in ("content", "recipe", "metadata")))
        assert not held & alone, (artifact["key"], held & alone)
    for word in sorted(alone):
        assert memory.search(word) == (), word


def text_shown(memory: MemoRepair, response: str) -> str | None:
    """A text field of a response that its tool's contract documents, so that its caches show it."""
    artifact = memory.get(response)
    assert artifact is not None
    content = json.loads(str(artifact.content))
    contract = memory.get(response.replace("resp/", "doc/", 1).rpartition("/")[0])
    if not isinstance(content, dict) or contract is None:
        return None
    shown = (json.loads(str(contract.content)).get("outputSchema") or {}).get("properties", {})
    return next(
        (n for n, v in content.items() if isinstance(v, str) and v and shown.get(n, {}).get("type") == "string"), None
    )


def test_a_response_is_corrected_and_what_rested_on_it_comes_back_with_the_new_value(driver, memory, lines, published):
    responses = (line["key"] for line in lines if line["key"].startswith("resp/"))
    response = next(key for key in responses if text_shown(memory, key))
    place = text_shown(memory, response)
    corrected = json.loads(memory.get(response).content) | {place: "zorblattcorrected"}
    _, report = repaired(driver, memory, RepairEvent.correct({response: corrected}), published)
    assert report.outcomes[response] == "replaced"
    back = [key for key, outcome in report.outcomes.items() if outcome == "published" and key.startswith("cache/")]
    assert back
    assert all(json.loads(memory.get(key).content)["response"][place] == "zorblattcorrected" for key in back)
    assert {hit.artifact.key for hit in memory.search("zorblattcorrected", k=50)} >= {response, *back}


def contracts_of(memory: MemoRepair, lines: list[dict[str, Any]], family: str) -> list[str]:
    """The contracts that skills in service rest on."""
    return [
        source["key"]
        for line in lines
        if line["key"].startswith(family) and memory.get(line["key"])
        for source in line["influenced_by"]
        if source["key"].startswith("doc/")
    ]


def test_a_tools_contract_migrates_and_its_notes_and_chains_follow(driver, memory, lines, published):
    of_chains = set(contracts_of(memory, lines, "chain/"))
    shared = (key for key in contracts_of(memory, lines, "note/") if key in of_chains)
    doc = next(key for key in shared if json.loads(memory.get(key).content)["inputSchema"].get("properties"))
    contract = json.loads(memory.get(doc).content)
    written = {line["key"]: line["content"] for line in lines if line["key"].startswith("chain/")}
    in_service = {key for key in written if memory.get(key)}
    contract["inputSchema"]["properties"]["zorblatt_unit"] = {"type": "string", "description": "new"}
    _, report = repaired(driver, memory, RepairEvent.migrate({doc: contract}), published)
    assert report.outcomes[doc] == "replaced"
    back = [key for key, outcome in report.outcomes.items() if outcome == "published" and key.startswith("note/")]
    assert back
    assert all("zorblatt_unit" in memory.get(key).content for key in back)
    chains = in_service & report.outcomes.keys()
    assert chains
    for key in chains:
        assert report.outcomes[key] == "published", report.reasons[key]
        assert memory.get(key).content == written[key], "no call feels a parameter that may be left out"
        assert "zorblatt_unit" in memory.get(key).blob.decode()


@pytest.mark.usefixtures("server")  # it counts what the tests above brought back
def test_every_kind_that_has_an_operator_came_back_at_least_once(published):
    assert set(published) == {"cache", "summary", "prompt", "chain", "neural"}


def test_loading_the_same_data_again_brings_nothing_back(memory, lines):
    def out_of_service() -> set[str]:
        return {line["key"] for line in lines[::25] if memory.get(line["key"]) is None}

    before = out_of_service()
    report = memory.load(lines)
    assert (report.created, report.skipped) == (0, len(lines))
    assert out_of_service() == before
