"""A repaired selector is what training on the rows in service gives, and each of its checks catches what it is for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.outcome import Mode, Outcome
from memorepair_graphdb.operators.attempt import attempt
from memorepair_graphdb.operators.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.course import Attempt, Job
from memorepair_graphdb.operators.embedding.features import HashedWords
from memorepair_graphdb.operators.operator import Operator
from memorepair_graphdb.operators.payload import Payload
from memorepair_graphdb.operators.registry import Registry
from memorepair_graphdb.operators.selector.operator import NAME, Selector, register
from memorepair_graphdb.operators.selector.weights import Skill, read_skill, to_blob, to_manifest
from memorepair_graphdb.operators.verdict import Verdict
from memorepair_graphdb.repair.validation import checked_job

FEATURES = HashedWords(64)
WORDS = {
    "weather": ("rain", "sun", "wind", "storm", "umbrella"),
    "music": ("song", "album", "singer", "tune", "concert"),
    "travel": ("flight", "hotel", "train", "beach", "luggage"),
}
PLACES = ("Oslo", "Lima", "Rome", "Perth", "Quito", "Cairo")
Labelled = Mapping[str, tuple[str, Any]]
"""key → (text, tool or tools)"""


def requests(each: int = 20) -> dict[str, tuple[str, Any]]:
    """Rows whose words tell their tool."""
    return {
        f"request/{tool}/{number}": (f"{words[number % 5]} {words[number // 5 % 5]} in {PLACES[number % 6]}", tool)
        for tool, words in WORDS.items()
        for number in range(each)
    }


def context(
    rows: Labelled, old: Payload | None = None, tools: Mapping[str, str] | None = None, **recipe: Any
) -> Context:
    supports = [
        LiveSource(key, "request", Kind.RECORD, text, metadata={"tools": [tool] if isinstance(tool, str) else tool})
        for key, (text, tool) in sorted(rows.items())
    ]
    return Context(
        "selector/1",
        Kind.SKILL,
        Arch.NEURAL,
        recipe,
        Interfaces.of({tool: {"name": name} for tool, name in (tools or {}).items()}),
        old.content if old else None,
        old.blob if old else None,
        tuple(supports),
    )


def operator() -> Operator:
    registry = Registry()
    register(registry, FEATURES)
    found = registry.find(NAME)
    assert found is not None
    return found


def repaired(given: Context, retracted: tuple[str, ...] = ()) -> Attempt:
    return attempt(checked_job(operator(), given, retracted, lambda word: 0))


def made(given: Context) -> Payload:
    tried = repaired(given)
    assert tried.payload is not None, tried.reason
    return tried.payload


def skill_of(payload: Payload) -> Skill:
    return read_skill(payload.content, payload.blob)


def _header(payload: Payload) -> bytes:
    return (payload.blob or b"").replace(b"\\", b"")


def stored(skill: Skill) -> Payload:
    blob = to_blob(skill)
    return Payload(to_manifest(skill, blob), blob=blob)


def verdicts(payload: Payload, given: Context) -> tuple[Verdict, ...]:
    """What the checks say, all of them, of a payload that some operator returned."""
    job = Job(operator(), given)
    return tuple(_judged(validator, job, payload) for validator in job.operator.validators)


def _judged(validator: Any, job: Job, payload: Payload) -> Verdict:
    alone = replace(job.operator, run=lambda _: payload, validators=(validator,))
    return attempt(replace(job, operator=alone)).checks[-1]


def failed(payload: Payload, given: Context) -> list[str]:
    return [verdict.check for verdict in verdicts(payload, given) if not verdict.ok]


def logits(payload: Payload, texts: Sequence[str]) -> Any:
    weights = skill_of(payload).weights
    return FEATURES.encode(texts) @ weights[:, :-1].T + weights[:, -1]


TEXTS = [text for text, _ in requests().values()]


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
        assert tried.spent == pytest.approx(operator().estimate(given), rel=0.5)


class TestARefusal:
    @pytest.mark.parametrize(
        ("recipe", "words"),
        [
            ({"l2": 0}, "l2 is a number above 0"),
            ({"l2": True}, "l2 is a number above 0"),
            ({"l2": "x"}, "l2 is a number above 0"),
            ({"contracts": 1}, "contracts in the recipe"),
            ({"retrain": "yes"}, "retrain in the recipe"),
        ],
    )
    def test_names_what_is_wrong_with_a_recipe(self, recipe: dict[str, Any], words: str):
        with pytest.raises(BadInput, match=words):
            Selector(FEATURES).repair(context(requests(), **recipe))

    @pytest.mark.parametrize("tools", [7, [7], [""], {"a": 1}])
    def test_names_the_row_whose_label_is_no_name(self, tools: Any):
        given = context(requests())
        odd = replace(given.supports[0], metadata={"tools": tools})
        with pytest.raises(BadInput, match=r"the tools of the row request/music/0"):
            Selector(FEATURES).repair(replace(given, supports=(odd,)))

    def test_is_what_old_weights_of_other_features_meet(self):
        given = context(requests(), made(context(requests())))
        with pytest.raises(BadInput, match="was trained on hashed-words-64; this process has hashed-words-32"):
            Selector(HashedWords(32)).repair(given)

    def test_is_what_tampered_old_weights_meet(self):
        old = made(context(requests()))
        tampered = Payload(old.content, blob=(old.blob or b"")[:-1] + b"\x01")
        assert repaired(context(requests(), tampered)).outcome is Outcome.OPERATOR_FAILED


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


def test_the_registered_operator_is_a_param_operator_with_its_checks_in_order():
    found = operator()
    assert (found.mode, found.name) == (Mode.PARAM, "selector@1")
    assert [validator.__name__ for validator in found.validators] == ["weights", "rows", "classes", "gradient", "cite"]
    assert found.description


def test_a_manifest_pins_the_hash_of_its_blob():
    payload = made(context(requests()))
    assert sorted(json.loads(payload.content)) == ["features", "format", "sha256"]
