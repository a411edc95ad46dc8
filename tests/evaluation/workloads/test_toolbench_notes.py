"""note@2 writes every note of ToolBench's memory, its checks accept each, and it follows a contract that changes."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.content import as_content
from memorepair_graphdb.operators.builtin.note.blocks import blocks_of
from memorepair_graphdb.operators.builtin.note.note_2 import NAME
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.execution.stage import Attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.execution.validation import checked_job

Line = dict[str, Any]


@pytest.fixture(scope="module")
def by_key(toolbench_lines: list[Line]) -> dict[str, Line]:
    return {line["key"]: line for line in toolbench_lines}


@pytest.fixture(scope="module")
def notes(toolbench_lines: list[Line]) -> list[Line]:
    return [line for line in toolbench_lines if line.get("arch") == "prompt"]


def tools_of(note: Line) -> list[str]:
    return note["recipe"].get("tools") or [note["recipe"]["tool"]]


def written(note: Line, by_key: dict[str, Line], contracts: dict[str, Any], previous: str) -> Attempt:
    supports = (
        LiveSource(key, source["role"], Kind(by_key[key]["kind"]), as_content(by_key[key]["content"]))
        for source in note["influenced_by"]
        for key in [source["key"]]
        if source["role"] != "contract"
    )
    operator = Registry.default().find(NAME)
    assert operator is not None
    context = Context(
        note["key"],
        Kind.SKILL,
        Arch.PROMPT,
        note["recipe"],
        Interfaces.of(contracts),
        previous,
        supports=tuple(sorted(supports, key=lambda one: one.key)),
    )
    return attempt(checked_job(operator, context, (), lambda word: 99))


def test_every_note_is_written_and_accepted_and_its_examples_keep_to_their_contracts(
    notes: list[Line], by_key: dict[str, Line]
) -> None:
    shown = tools = 0
    for note in notes:
        contracts = {tool: by_key[f"doc/{tool}"]["content"] for tool in tools_of(note)}
        made = written(note, by_key, contracts, note["content"])
        assert made.payload is not None, f"{note['key']}: {made.reason}"
        tools += len(contracts)
        for call in blocks_of(made.payload.content).calls:
            jsonschema.validate(call["arguments"], contracts[call["tool"]]["inputSchema"])
            shown += 1
    assert len(notes) == 361
    assert shown == tools, "every tool of the memory can be shown by an example"


def test_a_note_follows_a_renamed_parameter_and_says_its_old_name_nowhere(
    notes: list[Line], by_key: dict[str, Line]
) -> None:
    followed = 0
    for note in notes[::5]:
        contracts = {tool: json.loads(json.dumps(by_key[f"doc/{tool}"]["content"])) for tool in tools_of(note)}
        schema = next(iter(contracts.values()))["inputSchema"]
        if not schema["required"]:
            continue
        old = schema["required"][0]
        schema["properties"]["zorblatt_key"] = schema["properties"].pop(old)
        schema["required"][0] = "zorblatt_key"
        made = written(note, by_key, contracts, note["content"])
        assert made.payload is not None, f"{note['key']}: {made.reason}"
        assert "`zorblatt_key`" in made.payload.content
        others = {name for contract in contracts.values() for name in contract["inputSchema"]["properties"]}
        assert old in others or f"`{old}`" not in made.payload.content
        followed += 1
    assert followed > 20
