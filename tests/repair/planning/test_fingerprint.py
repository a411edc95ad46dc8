"""The plan's id. It follows what would be done, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.cascade import Affected, Cascade, Influence
from memorepair_graphdb.model.vocabulary import EventType, Standing
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.planning.fingerprint import scope_fingerprint, scope_of
from memorepair_graphdb.repair.planning.plan import plan
from tests.harness.cascades import cascade_of


def registry(support="available", names=("digest@1", "prompt@1")):
    made = Registry()
    for name in names:
        made.operator(name, mode="regen", support=support)(lambda context: "")
    return made


def artifact(name, **changed):
    plain = Affected(name, f"key/{name}", Kind.SUMMARY, None, "digest@1", 2.0, 1.0, False, False)
    return plain._replace(**changed)


ROOT = artifact("root", kind=Kind.RECORD, operator=None, root=True)
NOTE = artifact("note")
SKILL = artifact("skill", kind=Kind.SKILL, arch=Arch.PROMPT, operator="prompt@1")
EDGES = (
    Influence("note", "root", "key/root", None, False, Standing.REPLACED),
    Influence("skill", "note", "key/note", "context", None, Standing.AFFECTED),
    Influence("skill", "kept", "key/kept", None, True, Standing.RETAINED),
)


def cascade(affected=(ROOT, NOTE, SKILL), influences=EDGES, event_id="e_1", type_=EventType.CORRECT, **means):
    return cascade_of(event_id, type_, affected, influences, **means)


def plan_of(scope, **changed):
    asked = {
        "event": {"id": scope.event_id},
        "delta": '{"key/root":"new"}',
        "replaced": frozenset({"root"}),
        "operators": registry(),
        "tradeoff": "0.3",
        "estimate": lambda artifact, edges, operator: 1.0,
        "embedder": None,
    }
    return plan(scope, **{**asked, **changed})


PLAIN = plan_of(cascade())


def test_the_first_part_can_be_computed_alone():
    first, second = PLAIN.plan_id.split(".")
    assert first == scope_of(PLAIN.plan_id)
    assert first == scope_fingerprint(EventType.CORRECT, '{"key/root":"new"}', cascade())
    assert len(first) == len(second) == 64


def test_order_event_id_and_how_the_tradeoff_is_written_change_nothing():
    for seed in range(10):
        rng = random.Random(seed)
        affected, edges = rng.sample((ROOT, NOTE, SKILL), 3), rng.sample(EDGES, 3)
        again = plan_of(cascade(affected, edges, event_id=f"e_{seed}"), tradeoff=rng.choice([0.3, "0.30", "3e-1"]))
        assert again.plan_id == PLAIN.plan_id


def test_the_id_of_a_replacement_changes_nothing_as_it_is_made_anew():
    renewed = EDGES[0]._replace(source="a_fresh_id")
    assert plan_of(cascade(influences=(renewed, *EDGES[1:]))).plan_id == PLAIN.plan_id


def test_operators_that_no_artifact_names_change_nothing():
    assert plan_of(cascade(), operators=registry(names=("digest@1", "prompt@1", "more@1"))).plan_id == PLAIN.plan_id


SCOPES: dict[str, tuple[Cascade, dict[str, Any]]] = {
    "type": (cascade(type_=EventType.MIGRATE), {}),
    "delta": (cascade(), {"delta": '{"key/root":"other"}'}),
    "a root": (
        cascade(affected=(ROOT, NOTE, SKILL, artifact("more", root=True))),
        {"replaced": frozenset({"root", "more"})},
    ),
    "one more artifact": (cascade(affected=(ROOT, NOTE, SKILL, artifact("more"))), {}),
    "one edge less": (cascade(influences=EDGES[:2]), {}),
    "one edge twice": (cascade(influences=(*EDGES, EDGES[2])), {}),
    "an edge's role": (cascade(influences=(*EDGES[:2], EDGES[2]._replace(role="context"))), {}),
    "an edge's need": (cascade(influences=(*EDGES[:2], EDGES[2]._replace(required=None))), {}),
    "an edge's source": (cascade(influences=(*EDGES[:2], EDGES[2]._replace(source="kept_2"))), {}),
    "how a source stands": (cascade(influences=(*EDGES[:2], EDGES[2]._replace(standing=Standing.REPLACED))), {}),
}


@pytest.mark.parametrize("what", SCOPES)
def test_what_is_affected_changes_the_first_part(what):
    scope, changed = SCOPES[what]
    assert scope_of(plan_of(scope, **changed).plan_id) != scope_of(PLAIN.plan_id)


CHOICES: dict[str, tuple[Cascade, dict[str, Any]]] = {
    "a value": (cascade(affected=(ROOT, NOTE, SKILL._replace(value=9.0))), {}),
    "a cost": (cascade(affected=(ROOT, NOTE, SKILL._replace(cost=9.0))), {}),
    "an estimate": (cascade(affected=(ROOT, NOTE, SKILL._replace(cost=None))), {"estimate": lambda *asked: 7.0}),
    "an operator": (cascade(affected=(ROOT, NOTE, SKILL._replace(operator="digest@1"))), {}),
    "an operator that is gone": (cascade(), {"operators": registry(names=("digest@1",))}),
    "what an operator needs": (cascade(), {"operators": registry(support="all")}),
    "the tradeoff": (cascade(), {"tradeoff": "0.31"}),
    "the selection": (cascade(), {"tradeoff": "3"}),
    "the embedder": (cascade(), {"embedder": "minilm@2"}),
    "the scale": (cascade(value_mean=100.0, cost_mean=1.0), {}),
}


@pytest.mark.parametrize("what", CHOICES)
def test_what_would_be_done_changes_the_second_part_alone(what):
    scope, changed = CHOICES[what]
    made = plan_of(scope, **changed).plan_id
    assert scope_of(made) == scope_of(PLAIN.plan_id)
    assert made != PLAIN.plan_id


def test_every_change_gives_an_id_of_its_own():
    ids = [plan_of(scope, **changed).plan_id for scope, changed in (*SCOPES.values(), *CHOICES.values())]
    assert len({PLAIN.plan_id, *ids}) == len(ids) + 1
