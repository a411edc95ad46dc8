"""Seeded migrations of working chains, judged by simulated servers that know the true mapping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import pytest

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.vocabulary import Outcome
from memorepair_graphdb.operators.builtin.chain import rewriting
from memorepair_graphdb.operators.builtin.chain.operator import NAME, register
from memorepair_graphdb.operators.builtin.chain.sandbox import Sandbox
from memorepair_graphdb.operators.builtin.chain.tool_host import ChainFailed
from memorepair_graphdb.operators.contracts import renames
from memorepair_graphdb.operators.contracts.diff import ChangeKind, parameter_changes
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.execution.validation import checked_job
from tests.operators.builtin.chain.migration_maker import Maker
from tests.operators.builtin.chain.migration_world import Tool, World


def serve(sandbox: Sandbox, source: str, arguments: dict[str, Any], tools: list[Tool]) -> Any:
    """What a chain says on a server: its result and its calls, or that it failed."""
    named = {tool.name: tool for tool in tools}
    contracts = {name: tool.contract() for name, tool in named.items()}
    try:
        return sandbox.run(source, arguments, contracts, lambda tool, given: named[tool].answer(given))
    except ChainFailed as error:
        return str(error)


def judge(sandbox: Sandbox, registry: Registry, seed: int, with_runs: bool) -> tuple[str, World, str]:
    """How one seeded migration ends: same, different, refused or rejected; and the reason."""
    world = Maker(seed).world()
    before = [serve(sandbox, world.source, arguments, list(world.old.values())) for arguments in world.inputs]
    assert not any(isinstance(run, str) for run in before), (world.source, before)
    recipe: dict[str, Any] = {"contracts": {name: tool.contract() for name, tool in world.old.items()}}
    if with_runs:
        first = before[0]
        recipe["runs"] = [
            {"arguments": world.inputs[0], "calls": [asdict(call) for call in first.calls], "result": first.result}
        ]
    in_force = Interfaces.of({tool.name: tool.contract() for tool in world.new.values()})
    context = Context("chain/1", Kind.SKILL, Arch.CHAIN, recipe, in_force, previous=world.source)
    operator = registry.find(NAME)
    assert operator is not None
    made = attempt(checked_job(operator, context, (), lambda word: 99))
    if made.payload is None:
        return "refused" if made.outcome is Outcome.OPERATOR_FAILED else "rejected", world, made.reason
    after = [serve(sandbox, made.payload.content, arguments, list(world.new.values())) for arguments in world.inputs]
    same = all(not isinstance(run, str) and run.result == was.result for run, was in zip(after, before, strict=True))
    return "same" if same else "different", world, made.payload.content


def counted(sandbox: Sandbox, seeds: Iterable[int], with_runs: bool) -> tuple[dict[str, int], list[str]]:
    """How the seeds end, by sort; and those that end otherwise than they should, with the reason."""
    registry = Registry()
    register(registry, lambda: sandbox)
    counts = dict.fromkeys(("same", "different", "refused", "rejected", "derivable", "derived", "untouched", "kept"), 0)
    faults: list[str] = []
    for seed in seeds:
        ended, world, reason = judge(sandbox, registry, seed, with_runs)
        counts[ended] += 1
        counts["derivable"] += world.touched and world.derivable
        counts["derived"] += world.touched and world.derivable and ended == "same"
        counts["untouched"] += not world.touched
        counts["kept"] += not world.touched and ended == "same"
        if ended == "different" or (world.derivable and ended != "same"):
            faults.append(f"{seed} {ended} {world.done}: {reason}")
    return counts, faults


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(workers=1) as sandbox:
        yield sandbox


def test_a_migration_is_followed_or_refused_never_done_wrong(sandbox: Sandbox) -> None:
    counts, faults = counted(sandbox, range(10), with_runs=False)
    assert counts["different"] == 0, faults
    assert counts["derived"] >= 0.9 * counts["derivable"] > 3
    assert counts["refused"] > 0


@pytest.mark.torture
@pytest.mark.parametrize("with_runs", [False, True])
def test_five_hundred_migrations_publish_no_other_result(sandbox: Sandbox, with_runs: bool) -> None:
    counts, faults = counted(sandbox, range(1000, 1500), with_runs)
    assert counts["different"] == 0, faults
    assert counts["derived"] >= 0.9 * counts["derivable"], faults
    assert counts["kept"] >= 0.9 * counts["untouched"]
    assert counts["derivable"] >= 200
    assert counts["refused"] >= 50


@pytest.mark.torture
def test_the_servers_notice_a_guessed_rename(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renames, "is_respelt", lambda before, after, old, new: old.get("type") == new.get("type"))
    assert counted(sandbox, range(1000, 1060), with_runs=False)[0]["different"] > 0


@pytest.mark.torture
@pytest.mark.parametrize(
    ("ignored", "drawn"), [(ChangeKind.DEFAULT, "to_other_default"), (ChangeKind.UNIT, "to_bad_unit")]
)
def test_the_servers_notice_a_change_that_is_ignored(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, ignored: ChangeKind, drawn: str
) -> None:
    monkeypatch.setattr(
        rewriting,
        "parameter_changes",
        lambda old, new: (one for one in parameter_changes(old, new) if one.kind is not ignored),
    )
    seeds = [seed for seed in range(1000, 4000) if any(drawn in done for done in Maker(seed).world().done)]
    assert counted(sandbox, seeds[:60], with_runs=False)[0]["different"] > 0
