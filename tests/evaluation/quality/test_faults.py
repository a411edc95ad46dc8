"""Faults in true successors: none passes all checks, many pass the form alone; whoever makes them judges nothing."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from memorepair_graphdb import Registry
from memorepair_graphdb.evaluation.quality import faults
from memorepair_graphdb.evaluation.quality.faults import table
from memorepair_graphdb.evaluation.quality.faults.case import Ward
from memorepair_graphdb.operators.builtin import tool_call
from memorepair_graphdb.operators.builtin.chain import operator as chain
from memorepair_graphdb.operators.builtin.neural.selector import operator as selector
from memorepair_graphdb.operators.builtin.note import note_2 as prompt
from memorepair_graphdb.operators.builtin.summary import summary_1
from memorepair_graphdb.operators.builtin.summary import summary_2 as extract
from memorepair_graphdb.operators.embedding.features import HashedWords

MAKERS = ("caches", "case", "chains", "notes", "selectors", "summaries", "words")
MAY_KNOW = {"operators.protocol.context", "operators.protocol.payload", "model.artifact", "model.content"}
WARDS = {ward.operator: ward for ward in table.WARDS}


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Give the operators; those that read with MiniLM read hashed words, which no check looks at."""
    made = Registry()
    for register in (tool_call.register, summary_1.register, prompt.register, chain.register):
        register(made)
    extract.register(made, HashedWords(64))
    selector.register(made, HashedWords(64))
    return table.known(made)


@pytest.mark.parametrize("name", sorted(WARDS))
def test_no_fault_passes_all_checks_and_every_sort_is_tried(registry: Registry, name: str) -> None:
    operator, ward = registry.find(name), WARDS[name]
    assert operator is not None
    found = table.row(operator, ward, len(ward.sorts), seed=7)
    assert (found["full"], found["passed"]) == (0, [])
    assert found["faults"] == found["sorts"] == len(ward.sorts)
    assert (found["empty"] > 3, found["empty_passed"]) == (True, 0)
    assert 0 < found["schema_only"] < found["faults"] or ward.schema == {"schema"}


@pytest.mark.parametrize("name", sorted(WARDS))
def test_the_same_seed_makes_the_same_faults(registry: Registry, name: str) -> None:
    operator, ward = registry.find(name), WARDS[name]
    assert operator is not None

    def texts(seed: int) -> list[str]:
        made = table.faults(operator, ward, 8, seed)
        return [fault.payload.content.partition('"fetched":')[0] for fault in made]

    assert texts(1) == texts(1)
    assert texts(1) != texts(2)


def test_a_ward_without_a_check_lets_its_faults_pass(registry: Registry) -> None:
    """The table can count a false pass: without the second replay most faults of a cache are none to anybody."""
    operator, ward = registry.find("replay@2"), WARDS["replay@2"]
    assert operator is not None
    unseen: Ward = replace(ward, schema=frozenset())
    blind = replace(operator, validators=(), vouching=())
    found = table.row(blind, unseen, 40, seed=7)
    assert found["schema_only"] == found["faults"]
    assert set(found["passed"]) == {"a volatile field of another type", "spaces in the JSON", "keys in another order"}


@pytest.mark.parametrize("maker", MAKERS)
def test_whoever_makes_faults_shares_no_code_with_whoever_judges(maker: str) -> None:
    path = Path(faults.__file__).with_name(f"{maker}.py")
    known = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 4:
            known.add(str(node.module))
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert not str(node.module).startswith("memorepair")
    assert known <= MAY_KNOW
