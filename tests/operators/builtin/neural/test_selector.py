"""A repaired selector is what training on the rows in service gives, and each of its checks catches what it is for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from memorepair_graphdb.errors import BadInput, OperatorError
from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.vocabulary import Mode, Outcome
from memorepair_graphdb.operators.builtin.neural.selector.operator import NAME, Selector, register
from memorepair_graphdb.operators.builtin.neural.selector.weights import SelectorSkill, read_skill
from memorepair_graphdb.operators.embedding.features import HashedWords
from memorepair_graphdb.operators.protocol.context import LiveSource
from memorepair_graphdb.operators.protocol.payload import Payload
from tests.operators.builtin.neural.selector_world import FEATURES, TEXTS, WORDS, Trainer, context, requests

SELECTOR = Trainer(register, NAME)
made, repaired, failed, verdicts = SELECTOR.made, SELECTOR.repaired, SELECTOR.failed, SELECTOR.verdicts


def skill_of(payload: Payload) -> SelectorSkill:
    return read_skill(payload.content, payload.blob)


def _header(payload: Payload) -> bytes:
    return (payload.blob or b"").replace(b"\\", b"")


def logits(payload: Payload, texts: Sequence[str]) -> Any:
    weights = skill_of(payload).weights
    return FEATURES.encode(texts) @ weights[:, :-1].T + weights[:, -1]


class TestARepair:
    def test_of_a_first_selector_learns_its_rows(self):
        payload = made(context(requests()))
        picks = skill_of(payload).choose(FEATURES.encode(TEXTS))
        assert picks == [tool for _, tool in requests().values()]

    def test_after_a_deletion_equals_training_without_the_rows(self):
        old, kept = made(context(requests())), dict(list(requests().items())[4:])
        moved, anew = made(context(kept, old)), made(context(kept))
        assert moved.blob != old.blob
        assert np.abs(logits(moved, TEXTS) - logits(anew, TEXTS)).max() < 2e-3

    def test_after_a_deletion_knows_nothing_of_the_rows_that_left(self):
        old, kept = made(context(requests())), dict(list(requests().items())[4:])
        payload = made(context(kept, old))
        assert set(skill_of(payload).basis.rows) == set(kept)
        assert not any(f'"{key}"'.encode() in _header(payload) for key in requests().keys() - kept.keys())
        assert all(f'"{key}"'.encode() in _header(payload) for key in kept)

    def test_after_a_correction_answers_with_the_new_tool(self):
        rows = requests()
        old = made(context(rows))
        corrected = {key: (text, "music" if "storm" in text else tool) for key, (text, tool) in rows.items()}
        payload = made(context(corrected, old))
        assert skill_of(old).choose(FEATURES.encode(["storm storm in Oslo"])) == ["weather"]
        assert skill_of(payload).choose(FEATURES.encode(["storm storm in Oslo"])) == ["music"]

    def test_takes_the_label_from_a_content_that_was_corrected(self):
        rows = requests()
        given = context(rows)
        first = given.supports[0]
        said = LiveSource(
            first.key, "request", Kind.RECORD, '{"query":"tune tune","tool":"weather"}', metadata=first.metadata
        )
        payload = made(replace(given, supports=(said, *given.supports[1:])))
        assert skill_of(payload).basis.rows[first.key] != skill_of(made(given)).basis.rows[first.key]

    def test_after_a_tool_retired_never_picks_it(self):
        tools = {tool: tool for tool in WORDS}
        old = made(context(requests(), tools=tools))
        payload = made(context(requests(), old, {"music": "music", "travel": "travel"}))
        assert set(skill_of(old).choose(FEATURES.encode(TEXTS))) == set(WORDS)
        assert set(skill_of(payload).choose(FEATURES.encode(TEXTS))) == {"music", "travel"}
        assert not any("weather" in id_ for id_ in skill_of(payload).basis.rows)

    def test_after_every_contract_retired_fails_rather_than_offer_what_is_gone(self):
        old = made(context(requests(), tools={tool: tool for tool in WORDS}))
        tried = repaired(context(requests(), old))
        assert tried.outcome is Outcome.OPERATOR_FAILED
        assert "no row in service whose tool is in force" in tried.reason

    def test_after_a_migration_calls_the_class_by_its_new_name(self):
        old = made(context(requests(), tools={tool: tool for tool in WORDS}))
        payload = made(context(requests(), old, {"weather": "forecast", "music": "music", "travel": "travel"}))
        assert skill_of(payload).choose(FEATURES.encode(["rain sun"])) == ["forecast"]

    def test_shares_a_class_between_tools_that_became_one(self):
        old = made(context(requests(), tools={tool: tool for tool in WORDS}))
        merged = {"weather": "outdoors", "travel": "outdoors", "music": "music"}
        payload = made(context(requests(), old, merged))
        assert skill_of(payload).classes == ("music", "outdoors")
        assert np.abs(logits(payload, TEXTS) - logits(made(context(requests(), None, merged)), TEXTS)).max() < 2e-3

    def test_reads_the_contracts_it_offers_so_that_a_migration_reaches_it(self):
        tried = repaired(context(requests(), tools={**{tool: tool for tool in WORDS}, "other": "other"}))
        assert tried.read == {"weather", "music", "travel"}

    def test_splits_a_row_of_two_tools_between_them(self):
        rows = {**requests(), "request/both": ("zebra", ["music", "weather"])}
        music, travel, weather = logits(made(context(rows)), ["zebra"])[0]
        assert music == pytest.approx(weather, abs=0.3)
        assert min(music, weather) > travel

    def test_leaves_out_a_request_that_names_no_tool(self):
        rows = {**requests(), "request/none": ("zebra", [])}
        assert "request/none" not in skill_of(made(context(rows))).basis.rows

    def test_retrains_where_it_is_asked_to(self):
        old, kept = made(context(requests())), dict(list(requests().items())[4:])
        exact, anew = made(context(kept, old, retrain=True)), made(context(kept))
        assert exact.blob == anew.blob

    def test_changes_to_other_features_where_it_is_asked_to_retrain(self):
        old = Selector(HashedWords(32)).repair(context(requests()))
        assert made(context(requests(), old, retrain=True)).blob == made(context(requests())).blob

    def test_starts_anew_on_what_was_never_trained(self):
        given = replace(context(requests()), previous='{"rows":3,"tools":["weather"]}')
        assert made(given).blob == made(context(requests())).blob

    def test_says_nothing_that_passes_for_residue(self):
        old, kept = made(context(requests())), dict(list(requests().items())[1:])
        gone = "Call Zoe Quill on 555 0199 about 64 weather songs, order 60 at request/weather/0, weights v2."
        assert repaired(context(kept, old), (gone,)).outcome is None

    def test_estimates_about_what_it_spends(self):
        given = context(requests(60))
        tried = repaired(given)
        assert tried.spent == pytest.approx(SELECTOR.operator.estimate(given), rel=0.5)


class TestARefusal:
    @pytest.mark.parametrize(
        ("recipe", "words"),
        [
            ({"l2": 0}, "l2: Input should be"),
            ({"l2": True}, "l2: Input should be"),
            ({"l2": "x"}, "l2: Input should be"),
            ({"contracts": 1}, "contracts: Input should be a valid boolean"),
            ({"retrain": "yes"}, "retrain: Input should be a valid boolean"),
        ],
    )
    def test_names_what_is_wrong_with_a_recipe(self, recipe: dict[str, Any], words: str):
        with pytest.raises(BadInput, match=words):
            Selector(FEATURES).repair(context(requests(), **recipe))

    @pytest.mark.parametrize("tools", [7, [7], [""], {"a": 1}])
    def test_names_the_row_whose_label_is_no_name(self, tools: Any):
        given = context(requests())
        odd = replace(given.supports[0], metadata={"tools": tools})
        with pytest.raises(OperatorError, match=r"the tools of the row request/music/0"):
            Selector(FEATURES).repair(replace(given, supports=(odd,)))

    def test_is_what_old_weights_of_other_features_meet(self):
        given = context(requests(), made(context(requests())))
        with pytest.raises(OperatorError, match="was trained on hashed-words-64; this process has hashed-words-32"):
            Selector(HashedWords(32)).repair(given)

    def test_is_what_tampered_old_weights_meet(self):
        old = made(context(requests()))
        tampered = Payload(old.content, blob=(old.blob or b"")[:-1] + b"\x01")
        assert repaired(context(requests(), tampered)).outcome is Outcome.OPERATOR_FAILED


def test_the_registered_operator_is_a_param_operator_with_its_checks_in_order():
    found = SELECTOR.operator
    assert (found.mode, found.name) == (Mode.PARAM, "selector@1")
    assert (found.kinds, found.lacks) == ((Arch.NEURAL,), "")
    assert [validator.__name__ for validator in found.validators] == ["weights", "rows", "classes", "gradient", "cite"]
    assert found.description


def test_a_manifest_pins_the_hash_of_its_blob():
    payload = made(context(requests()))
    assert sorted(json.loads(payload.content)) == ["features", "format", "sha256"]
