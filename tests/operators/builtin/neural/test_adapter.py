"""A repaired adapter is, to the bit, what training on the rows in service gives, and no more of it was trained."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.metrics import roc_auc_score

from memorepair_graphdb.errors import BadInput, OperatorError
from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.vocabulary import Mode, Outcome
from memorepair_graphdb.operators.builtin.neural.adapter.network import BOUND, RANK, Loss, flatten, initial_network
from memorepair_graphdb.operators.builtin.neural.adapter.operator import NAME, Adapter, register
from memorepair_graphdb.operators.builtin.neural.adapter.shards import place_of
from memorepair_graphdb.operators.builtin.neural.adapter.weights import AdapterSkill, read_skill
from memorepair_graphdb.operators.builtin.neural.selector.rows import ROLE
from memorepair_graphdb.operators.embedding.features import HashedWords
from memorepair_graphdb.operators.protocol.context import CHARACTERS_PER_TOKEN, INTERFACE, LiveSource, SourceChange
from memorepair_graphdb.operators.protocol.payload import Payload
from tests.operators.builtin.neural.selector_world import FEATURES, TEXTS, WORDS, Labelled, Trainer, context, requests

ADAPTER = Trainer(register, NAME)
made, repaired = ADAPTER.made, ADAPTER.repaired
ROWS = requests()
TOOLS = {tool: tool for tool in WORDS}


def skill_of(payload: Payload) -> AdapterSkill:
    return read_skill(payload.content, payload.blob)


def weights_of(skill: AdapterSkill) -> dict[str, bytes]:
    return {stage: flatten(network).tobytes() for stage, network in skill.stages.items()}


def moved(before: Payload, after: Payload) -> set[str]:
    """The stages whose weights are not what they were, to the bit."""
    old, new = weights_of(skill_of(before)), weights_of(skill_of(after))
    return {stage for stage in old.keys() | new.keys() if old.get(stage) != new.get(stage)}


def places(keys: Any, skill: AdapterSkill) -> set[str]:
    """The stages that see any of these rows: of its shard, those from its slice on."""
    found = (place_of(key, skill.basis.settings) for key in keys)
    return {f"{shard}/{stage}" for shard, slice_ in found for stage in range(slice_, skill.basis.settings.slices)}


def without(count: int) -> dict[str, tuple[str, Any]]:
    return dict(list(ROWS.items())[count:])


def planned(rows: Labelled, sources: set[tuple[str, str]], *, blob: bool = True, in_force: Sequence[str] = ()) -> float:
    """What is expected before anything is built: sizes are known, and which sources changed."""
    given = context(rows)
    sized = [replace(source, content="", size=len(source.content)) for source in given.supports]
    sized += [LiveSource(key, INTERFACE, Kind.RECORD, "", size=90) for key in in_force]
    return ADAPTER.operator.estimate(
        replace(given, supports=tuple(sized), change=SourceChange(frozenset(sources), blob))
    )


@pytest.fixture(scope="module")
def old() -> Payload:
    return made(context(ROWS))


class TestTheObjective:
    chance = np.random.default_rng(3)
    loss = Loss(chance.normal(size=(9, 5)), chance.dirichlet(np.ones(3), size=9), 0.01)

    def test_has_the_slope_that_differences_show(self):
        point = self.chance.normal(size=2 * RANK * 5 + 3 * 6) * 0.3
        seen = approx_fprime(point, lambda flat: self.loss.value_and_slope(flat)[0], 1e-7)
        assert np.allclose(self.loss.value_and_slope(point)[1], seen, atol=1e-5)

    def test_is_what_the_network_says_of_its_rows(self):
        network = self.loss.to_network(self.chance.normal(size=2 * RANK * 5 + 3 * 6) * 0.3)
        entropy = -(self.loss.targets * np.log(network.chances(self.loss.vectors))).sum(axis=1).mean()
        ridge = 0.005 * sum((part**2).sum() for part in network)
        assert self.loss.value_and_slope(flatten(network))[0] == pytest.approx(entropy + ridge)

    def test_is_minimised_until_the_slope_all_but_vanishes(self):
        done = self.loss.minimise(initial_network(5, 3, 0))
        assert done.residual <= BOUND
        assert np.linalg.norm(self.loss.value_and_slope(flatten(done.network))[1]) <= BOUND


class TestARepair:
    def test_of_a_first_adapter_learns_its_rows_and_uses_its_low_rank(self, old: Payload):
        skill = skill_of(old)
        assert skill.choose(FEATURES.encode(TEXTS)) == [tool for _, tool in ROWS.values()]
        assert {network.a.shape for network in skill.stages.values()} == {(8, 64)}
        assert all(np.linalg.norm(network.b) > 0.5 for network in skill.stages.values()), "the adapter does something"

    @pytest.mark.parametrize("count", [1, 2, 5])
    def test_after_a_deletion_equals_full_retraining_to_the_bit_and_touches_one_shard_each(
        self, old: Payload, count: int
    ):
        payload = made(context(without(count), old))
        assert payload.blob == made(context(without(count))).blob
        assert moved(old, payload) == places(list(ROWS)[:count], skill_of(old))
        assert len(moved(old, payload)) < len(skill_of(old).stages)

    def test_of_a_row_in_a_late_slice_starts_from_the_checkpoint_before_it(self, old: Payload):
        settings = skill_of(old).basis.settings
        late = next(key for key in ROWS if place_of(key, settings)[1] == 1)
        early = next(key for key in ROWS if place_of(key, settings)[1] == 0)
        spent = {}
        for key in (late, early):
            tried = repaired(context({other: said for other, said in ROWS.items() if other != key}, old))
            assert tried.payload is not None
            spent[key] = len(moved(old, tried.payload))
        assert spent == {late: 1, early: 2}

    def test_spends_on_the_touched_shard_alone(self, old: Payload):
        whole, one = repaired(context(without(1))), repaired(context(without(1), old))
        assert one.spent < 0.5 * whole.spent

    @pytest.mark.parametrize("count", [1, 3])
    def test_is_expected_to_read_the_shards_that_a_row_left(self, old: Payload, count: int):
        settings = skill_of(old).basis.settings
        gone = list(ROWS)[:count]
        touched = {place_of(key, settings)[0] for key in gone}
        read = sum(len(text) for key, (text, _) in without(count).items() if place_of(key, settings)[0] in touched)
        assert planned(without(count), {(key, ROLE) for key in gone}) == read / CHARACTERS_PER_TOKEN

    def test_is_expected_to_read_all_where_none_was_trained_and_half_where_a_tool_was_retired(self):
        everything = sum(len(text) for text, _ in ROWS.values()) / CHARACTERS_PER_TOKEN
        assert planned(ROWS, {(next(iter(ROWS)), ROLE)}, blob=False) == everything
        assert planned(ROWS, {("doc/music", INTERFACE)}) == (everything + 1) / 2
        assert planned(ROWS, {("doc/music", INTERFACE), ("doc/art", INTERFACE)}) == everything - (everything - 1) / 4
        assert planned(ROWS, {("doc/music", INTERFACE)}, in_force=["doc/music"]) == 1, "another contract, the same name"
        assert planned(ROWS, {("sum/1", "summary")}) == 1, "no row changed"

    def test_knows_nothing_of_the_rows_that_left(self, old: Payload):
        payload = made(context(without(4), old))
        assert set(skill_of(payload).basis.rows) == set(without(4))
        header = (payload.blob or b"").replace(b"\\", b"")
        assert not any(f'"{key}"'.encode() in header for key in list(ROWS)[:4])

    def test_after_a_correction_answers_with_the_new_tool(self, old: Payload):
        corrected = {key: (text, "music" if "storm" in text else tool) for key, (text, tool) in ROWS.items()}
        payload = Adapter(FEATURES).repair(context(corrected, old))
        assert skill_of(old).choose(FEATURES.encode(["storm storm in Oslo"])) == ["weather"]
        assert skill_of(payload).choose(FEATURES.encode(["storm storm in Oslo"])) == ["music"]
        assert payload.blob == made(context(corrected)).blob
        assert payload.blob == Adapter(FEATURES).repair(context(corrected, old, retrain=True)).blob

    def test_after_a_tool_retired_has_no_class_for_it_anywhere(self):
        before = made(context(ROWS, tools=TOOLS))
        in_force = {"music": "music", "travel": "travel"}
        payload = made(context(ROWS, before, in_force))
        skill = skill_of(payload)
        assert set(skill.choose(FEATURES.encode(TEXTS))) == {"music", "travel"}
        assert all("weather" not in classes for classes in skill.basis.classes.values())
        assert b"weather" not in (payload.blob or b"")
        assert payload.blob == made(context(ROWS, None, in_force)).blob

    def test_after_a_migration_calls_the_class_by_its_new_name(self):
        before = made(context(ROWS, tools=TOOLS))
        payload = made(context(ROWS, before, {**TOOLS, "weather": "forecast"}))
        assert skill_of(payload).choose(FEATURES.encode(["rain sun"])) == ["forecast"]

    def test_after_every_contract_retired_fails(self):
        tried = repaired(context(ROWS, made(context(ROWS, tools=TOOLS))))
        assert tried.outcome is Outcome.OPERATOR_FAILED
        assert "no row in service whose tool is in force" in tried.reason

    def test_repeats_itself_to_the_bit_and_differs_with_the_seed(self, old: Payload):
        assert made(context(ROWS)).blob == old.blob
        other = skill_of(made(context(ROWS, seed=1)))
        assert other.choose(FEATURES.encode(TEXTS)) == [tool for _, tool in ROWS.values()]
        assert weights_of(other) != weights_of(skill_of(old))

    def test_with_nothing_changed_keeps_every_bit(self, old: Payload):
        assert made(context(ROWS, old)).blob == old.blob

    def test_goes_by_the_settings_of_the_old_skill_where_the_recipe_is_silent(self):
        before = made(context(ROWS, seed=5, shards=2, slices=1))
        settings = skill_of(made(context(without(1), before))).basis.settings
        assert (settings.seed, settings.shards, settings.slices) == (5, 2, 1)

    def test_says_nothing_that_passes_for_residue(self, old: Payload):
        gone = "Call Zoe Quill on 555 0199 about 64 weather songs, order 60 at request/weather/0, weights v2."
        assert repaired(context(without(1), old), (gone,)).outcome is None

    def test_agrees_with_a_retrained_reference_and_no_attacker_tells_them_apart(self):
        """Noisy labels, so that a member shows: one row in three is labelled at random."""
        chance = np.random.default_rng(5)
        noisy = {
            key: (text, str(chance.choice(sorted(WORDS))) if chance.random() < 1 / 3 else tool)
            for key, (text, tool) in requests(40).items()
        }
        keys = list(noisy)
        chance.shuffle(keys)
        strangers, forgotten = keys[:30], keys[30:60]
        trained = {key: noisy[key] for key in keys[30:]}
        kept = {key: noisy[key] for key in keys[60:]}
        repair = Adapter(FEATURES).repair
        original = repair(context(trained))
        unlearned, reference = skill_of(repair(context(kept, original))), skill_of(repair(context(kept)))
        vectors = FEATURES.encode([noisy[key][0] for key in forgotten])
        assert np.mean(np.array(unlearned.choose(vectors)) != np.array(reference.choose(vectors))) <= 0.01
        rates = [attack(skill, noisy, forgotten, strangers) for skill in (unlearned, reference, skill_of(original))]
        assert rates[0] == pytest.approx(rates[1], abs=0.03)
        assert abs(rates[2] - rates[1]) > 0.03, "the test would not see a leak"


def attack(skill: AdapterSkill, rows: Mapping[str, tuple[str, Any]], members: list[str], strangers: list[str]) -> float:
    """How well the chance of a row's own label tells members from strangers, by scikit-learn."""
    names = sorted(WORDS)
    chances = skill.chances(FEATURES.encode([rows[key][0] for key in members + strangers]), names)
    own = [chance[names.index(rows[key][1])] for key, chance in zip(members + strangers, chances, strict=True)]
    return float(roc_auc_score([1] * len(members) + [0] * len(strangers), own))


class TestARefusal:
    @pytest.mark.parametrize(
        ("recipe", "words"),
        [
            ({"l2": 0}, "l2: Input should be"),
            ({"seed": -1}, "the recipe of selector/1: seed: Input should be greater than or equal to 0"),
            ({"shards": 0}, "shards: Input should be greater than or equal to 1"),
            ({"slices": "two"}, "slices: Input should be a valid integer"),
            ({"contracts": 1}, "contracts: Input should be a valid boolean"),
            ({"retrain": "yes"}, "retrain: Input should be a valid boolean"),
        ],
    )
    def test_names_what_is_wrong_with_a_recipe(self, recipe: dict[str, Any], words: str):
        with pytest.raises(BadInput, match=words):
            Adapter(FEATURES).repair(context(ROWS, **recipe))

    def test_is_what_tampered_old_weights_meet(self, old: Payload):
        tampered = Payload(old.content, blob=(old.blob or b"")[:-1] + b"\x01")
        assert repaired(context(ROWS, tampered)).outcome is Outcome.OPERATOR_FAILED

    def test_is_what_a_selector_meets_whose_file_is_another_models(self, old: Payload):
        other = old.content.replace('"model":"adapter",', "")
        with pytest.raises(OperatorError, match="does not describe its blob"):
            read_skill(other, old.blob)


def test_features_change_where_retraining_is_asked_for_and_else_not(old: Payload) -> None:
    other = Adapter(HashedWords(32))
    with pytest.raises(OperatorError, match="was trained on hashed-words-64; this process has hashed-words-32"):
        other.repair(context(ROWS, old))
    assert other.repair(context(ROWS, old, retrain=True)).blob == other.repair(context(ROWS)).blob


def test_it_starts_anew_on_what_was_never_trained(old: Payload) -> None:
    given = replace(context(ROWS), previous='{"rows":3,"tools":["weather"]}')
    assert made(given).blob == old.blob


def test_the_registered_operator_is_a_param_operator_with_its_checks_in_order() -> None:
    found = ADAPTER.operator
    assert (found.mode, found.kinds, found.lacks) == (Mode.PARAM, (Arch.NEURAL,), "")
    checks = ["weights", "rows", "classes", "untouched", "gradient", "cite"]
    assert [validator.__name__ for validator in found.validators] == checks


def test_a_manifest_pins_the_hash_of_its_blob(old: Payload) -> None:
    assert sorted(json.loads(old.content)) == ["features", "format", "model", "sha256"]
