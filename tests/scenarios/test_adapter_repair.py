"""An adapter in a memory: people ask to be forgotten one after the other, and each time one shard is trained again."""

from __future__ import annotations

import os

import pytest

from memorepair_graphdb import MemoRepair, Registry, RepairEvent
from memorepair_graphdb.operators.builtin.neural.adapter.network import flatten
from memorepair_graphdb.operators.builtin.neural.adapter.operator import NAME, Adapter, register
from memorepair_graphdb.operators.builtin.neural.adapter.shards import place_of
from memorepair_graphdb.operators.builtin.neural.adapter.weights import AdapterSkill, read_skill
from memorepair_graphdb.operators.builtin.neural.safetensors_blob import claims
from tests.operators.builtin.neural.selector_world import FEATURES, context, requests

KEY = "selector/desk"
ROWS = requests()


@pytest.fixture(scope="module")
def memory(driver) -> MemoRepair:
    registry = Registry()
    register(registry, FEATURES)
    mr = MemoRepair(driver, space=f"t_adapter_{os.getpid()}", registry=registry)
    mr.setup()
    records = [
        {"key": key, "kind": "record", "content": text, "metadata": {"tools": [tool]}}
        for key, (text, tool) in ROWS.items()
    ]
    skill = {
        "key": KEY,
        "kind": "skill",
        "arch": "neural",
        "content": {"trained": False},
        "operator": NAME,
        "recipe": {},
        "influenced_by": [{"key": key, "role": "request"} for key in ROWS],
    }
    mr.load([*records, skill])
    return mr


def skill_in(memory: MemoRepair) -> AdapterSkill:
    artifact = memory.get(KEY)
    assert artifact is not None
    assert artifact.content is not None
    return read_skill(artifact.content, artifact.blob)


def forget(memory: MemoRepair, key: str) -> None:
    report = memory.repair(RepairEvent.delete([key], reason="the user asked"))
    assert report.outcomes == {key: "removed", KEY: "published"}, report.reasons
    assert memory.check().violations == ()


def test_each_deletion_retrains_one_shard_and_ends_where_a_full_retraining_would(memory: MemoRepair) -> None:
    first, second, *kept = ROWS
    forget(memory, first)
    before = skill_in(memory)
    assert set(before.basis.rows) == {second, *kept}
    forget(memory, second)
    after = skill_in(memory)
    moved = {
        stage.partition("/")[0]
        for stage in before.stages
        if flatten(before.stages[stage]).tobytes() != flatten(after.stages[stage]).tobytes()
    }
    assert moved == {str(place_of(second, before.basis.settings)[0])}
    anew = Adapter(FEATURES).repair(context({key: ROWS[key] for key in kept}))
    artifact = memory.get(KEY)
    assert artifact is not None
    assert artifact.blob == anew.blob
    assert claims(artifact.content)["sha256"] == claims(anew.content)["sha256"]
