"""Each check of a selector catches a fault that no other does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from memorepair_graphdb.model.vocabulary import Outcome
from memorepair_graphdb.operators.builtin.neural.selector.operator import NAME, Selector, register
from memorepair_graphdb.operators.builtin.neural.selector.weights import SelectorSkill, read_skill, to_blob, to_manifest
from memorepair_graphdb.operators.protocol.payload import Payload
from tests.operators.builtin.neural.selector_world import FEATURES, WORDS, Trainer, context, requests

SELECTOR = Trainer(register, NAME)
made, repaired, failed, verdicts = SELECTOR.made, SELECTOR.repaired, SELECTOR.failed, SELECTOR.verdicts


def skill_of(payload: Payload) -> SelectorSkill:
    return read_skill(payload.content, payload.blob)


def stored(skill: SelectorSkill) -> Payload:
    blob = to_blob(skill)
    return Payload(to_manifest(skill, blob), blob=blob)


class TestEachCheckAloneCatches:
    """A fault each, planted in an otherwise perfect payload; every check is asked, and only one says no."""

    rows = requests()
    kept = dict(list(requests().items())[4:])
    tools = {tool: tool for tool in WORDS}

    def test_none_of_an_honest_repair(self):
        given = context(self.kept, made(context(self.rows)))
        assert failed(made(given), given) == []

    def test_weights_a_bit_that_was_turned(self):
        payload = made(context(self.kept))
        skill = skill_of(payload)
        nudged = skill.weights.copy()
        nudged[0, 0] = np.nextafter(nudged[0, 0], 9.0)
        turned = Payload(payload.content, blob=to_blob(replace(skill, weights=nudged)))
        (verdict,) = [one for one in verdicts(turned, context(self.kept)) if one.check == "weights"]
        assert not verdict.ok
        assert "hash" in verdict.reason

    def test_rows_a_forgotten_one_that_is_still_claimed(self):
        given = context(self.kept, made(context(self.rows)))
        skill = skill_of(made(given))
        claimed = skill.basis.model_copy(update={"rows": {**skill.basis.rows, "request/music/0": "0" * 64}})
        assert failed(stored(replace(skill, basis=claimed)), given) == ["rows"]

    def test_classes_a_retired_tool_that_no_row_names(self):
        """A class more, below the others for every text seen: accuracy and gradient would not tell."""
        given = context(self.kept, made(context(self.rows)))
        skill = skill_of(made(given))
        wider = skill.basis.model_copy(update={"tools": {**skill.basis.tools, "zoo": "weather"}})
        assert failed(stored(replace(skill, basis=wider)), given) == ["classes"]

    def test_gradient_old_weights_under_new_claims(self):
        old = made(context(self.rows))
        given = context(self.kept, old)
        honest = skill_of(made(given))
        assert failed(stored(replace(honest, weights=skill_of(old).weights)), given) == ["gradient"]

    def test_gradient_another_ridge_than_was_asked_for(self):
        given = context(self.kept, made(context(self.rows)))
        other = skill_of(made(context(self.kept, l2=0.01)))
        assert failed(stored(other), given) == ["gradient"]

    def test_cite_corrections_that_contradict_what_stayed(self):
        """Exact weights on rows that speak against each other: only the accuracy tells."""
        rows = {f"request/{number}": ("rain in Oslo", "weather") for number in range(9)}
        rows |= {f"request/x{number}": ("song in Lima", "music") for number in range(9)}
        old = made(context(rows))
        corrected = {**rows, **{f"request/{number}": ("rain in Oslo", "music") for number in range(8)}}
        given = context(corrected, old)
        payload = Selector(FEATURES).repair(given)
        assert failed(payload, given) == ["cite"]
        assert repaired(given).outcome is Outcome.REJECTED
        assert "accuracy 0.900 on cited rows, was 1.000" in repaired(given).reason
