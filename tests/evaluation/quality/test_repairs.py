"""The ToolBench memory, repaired event by event by every operator that runs offline: counted, audited, sandboxed.

The audit's words, the invariants of the graph, and the interpreter's own audit hook judge.
"""

from __future__ import annotations

import re
import sys
import uuid
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from memorepair_graphdb import MemoRepair
from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.evaluation.quality.repairs.audit import ServedWords, leaks, words_in
from memorepair_graphdb.evaluation.quality.repairs.changes import edited, migrated, migrations, real_changes
from memorepair_graphdb.evaluation.quality.repairs.memory import EVERY
from memorepair_graphdb.evaluation.quality.repairs.run import Setting, run, setting
from tests.harness.places import DATA

BUILT_IN = {
    *("replay@1", "replay@2", "summary@1", "summary@2", "note@1", "note@2"),
    *("chain@1", "selector@1", "adapter@1"),
}
"""Those that run offline."""
CONTRACT = {
    "name": "weather",
    "inputSchema": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "day": {"type": "string"}},
        "required": ["city"],
    },
    "outputSchema": {"type": "object", "properties": {"sky": {"type": "string"}}},
}

executed: list[str] = []
"""Files of the code that this process executed and that defines or calls something named `chain`."""


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "exec":
        code = arguments[0]
        if "chain" in getattr(code, "co_names", ()) and code.co_filename.startswith("<"):
            executed.append(code.co_filename)


@pytest.fixture(scope="module", params=[12, pytest.param(EVERY["summary@1"], marks=pytest.mark.torture)])
def what(request: pytest.FixtureRequest) -> Iterator[Setting]:
    """Give the memory, in which one of so many summaries is made by MiniLM: it takes a tenth of a second for each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(EVERY, "summary@1", request.param)
        yield setting(DATA, each=3, seed=7)


@pytest.fixture(scope="session")
def watching() -> None:
    """Watch what this process executes from now on; a hook of the interpreter stays."""
    sys.addaudithook(watch)


@pytest.fixture(scope="module")
def found(driver, what: Setting, watching: None) -> Iterator[dict[str, Any]]:
    """What came of a few events of each type, in a space of their own."""
    executed.clear()
    space = f"t_repairs_{uuid.uuid4().hex[:12]}"
    with MemoRepair(driver, space=space, registry=what.world.registry) as memory:
        memory.setup()
        memory.load(what.lines)
        yield run(memory, what, lambda line: None)


def test_nothing_that_was_retracted_is_served_and_every_invariant_holds(found) -> None:
    assert found["leaks"] == []
    assert found["violations"] == []
    assert found["events"] > 6


def test_every_operator_puts_something_back_and_says_why_it_did_not(found) -> None:
    back = {name for name, outcomes in found["by_operator"].items() if outcomes.get("published")}
    # Of the few migrations of this sample none leaves a chain a contract that it can be rewritten for: each says why.
    assert back >= BUILT_IN - {"adapter@1", "chain@1"}
    gone = re.compile(r"is not in force any more|(parameter|field) .+ removed, and the chain (gives|reads) it")
    chains = found["reasons"]["chain@1 operator_failed"]
    assert chains
    assert all(gone.search(reason) for reason in chains), chains
    said = [reason for reasons in found["reasons"].values() for reason in reasons]
    assert not [reason for reason in said if "Error:" in reason and "ConnectionError" not in reason], said


def test_no_chain_runs_outside_the_sandbox(found) -> None:
    assert executed == []
    exec(compile("chain = 1\nchain", "<a chain outside>", "exec"), {})
    assert executed == ["<a chain outside>"], "the hook sees what it is there to see"


def test_the_audit_sees_words_and_runs_that_only_a_retracted_text_has() -> None:
    retracted = ["Ann Berg of Elm Road likes a plain white cake with no cream on it"]
    served = [
        ServedWords("r", "record", "a plain white cake with cream likes of no on it road"),
        ServedWords("clean", "summary", "a plain cake"),
        ServedWords("word", "summary", "as BERG said"),
        ServedWords("run", "summary", "he likes a plain white cake with no cream"),
        ServedWords("two lines", "summary", "he likes a plain white\ncake with no cream"),
    ]
    assert [key for key, _ in leaks(retracted, served)] == ["word", "run", "two lines"]


def test_two_live_lines_that_meet_by_chance_are_no_run() -> None:
    retracted = ["It is in that category. Please provide me with the list of cakes."]
    live = ServedWords(
        "r", "record", "Products of a category are in that, cakes too: it. Please provide me with the list of that."
    )
    lines = ServedWords("s", "summary", "Products of a category\nPlease provide me with the list of that.")
    assert leaks(retracted, [live, lines]) == []
    joined = replace(lines, text=lines.text.replace("\n", " "))
    assert leaks(retracted, [live, joined]) == [("s", "category please provide me with the list of")]
    silent = replace(live, text=live.text.replace("the list", "that list"))
    assert [key for key, _ in leaks(retracted, [silent, lines])] == ["s"]


@pytest.mark.parametrize(
    ("changes", "became"),
    [
        (("op_removed",), lambda made: made is None),
        (("param_removed",), lambda made: len(made["inputSchema"]["properties"]) == 1),
        (("new_required_param",), lambda made: len(made["inputSchema"]["required"]) == 2),
        (("param_now_required",), lambda made: set(made["inputSchema"]["required"]) == {"city", "day"}),
        (("response_field_removed",), lambda made: made["outputSchema"]["properties"] == {}),
        (("response_type_changed",), lambda made: made["outputSchema"]["properties"]["sky"] == {"type": "object"}),
    ],
)
def test_a_contract_changes_as_it_is_told_and_the_old_one_stays(changes, became) -> None:
    before = repr(CONTRACT)
    assert became(migrated(CONTRACT, changes, Random(1)))
    assert repr(CONTRACT) == before


def test_the_audit_reads_a_blob_for_words_that_do_not_stand_in_it_by_chance() -> None:
    header = b'{"rows":{"instr/1":"Nybrogatan 7"},"tools":["wi fi"],"shards":5}'
    assert {"Nybrogatan", "7", "wi"} <= set(re.findall(r"\w+", words_in(header + bytes(range(256)))))
    assert words_in(bytes(range(32)) + b"Nybrogatan\x00wi\x00") == "Nybrogatan"


def test_the_contracts_that_migrate_are_those_that_most_chains_rest_on() -> None:
    docs = [{"key": key, "tool": key, "content": CONTRACT} for key in ("doc/a", "doc/b", "doc/c")]
    used = {"chain/1": ["doc/c", "doc/b"], "chain/2": ["doc/c"]}
    chains = [
        {"key": key, "arch": "chain", "influenced_by": [{"key": doc} for doc in read]} for key, read in used.items()
    ]
    found = [event.roots for event in migrations([*docs, *chains], 2, Random(1), DATA / "migrate")]
    assert found == [("doc/c",), ("doc/b",)]


def test_every_operator_has_a_part_and_prompts_are_asked_what_their_tools_must_be_given(what: Setting) -> None:
    assert {line["operator"] for line in what.lines if "operator" in line} == BUILT_IN
    by_key = {line["key"]: line for line in what.lines}
    note = by_key["note/OTT details"]
    asked = {check["question"]: check["must"] for check in note["recipe"]["checks"]}
    assert asked["What must a call of OTT details/Basic Info give?"] == ["peopleid"]
    assert all(phrase in note["content"] for must in asked.values() for phrase in must)


def test_the_mix_of_changes_is_that_of_1221_real_migrations() -> None:
    real = real_changes(DATA / "migrate")
    assert len(real) == 1221
    assert sum("op_removed" in changes for changes in real) == 623
    assert sum(changes.count("new_required_param") for changes in real) == 59
    with pytest.raises(BadInput, match="stripe"):
        real_changes(DATA / "toolbench")


def test_an_edited_response_differs_in_one_leaf() -> None:
    content = {"a": {"b": [1, "x"]}, "c": True}
    made = edited(content, Random(3))
    assert made != content
    assert made["c"] is True
    assert edited([], Random(1)) != []
    assert edited("text", Random(1)) == "text (corrected)"
