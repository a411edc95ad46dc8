"""A vector depends on its text alone, and MiniLM's are those of the file that is pinned."""

from __future__ import annotations

import numpy as np
import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.operators.embedding import minilm
from memorepair_graphdb.operators.embedding.features import CachedFeatures, Features, HashedWords
from memorepair_graphdb.operators.embedding.minilm import INSTALL, MODEL, MiniLM, best_features
from memorepair_graphdb.operators.embedding.package_files import shipped_file

TEXTS = [
    "Will it rain in Oslo tomorrow?",
    "What is the weather forecast for Norway?",
    "Recommend me a jazz album",
    "Play a song by a saxophone player",
    "",
    "Какая завтра погода?",
    "word " * 600,
]


@pytest.mark.parametrize("features", [HashedWords(64), MiniLM()], ids=["hashed", "minilm"])
class TestFeatures:
    def test_of_a_text_do_not_depend_on_its_neighbours(self, features: Features):
        together = features.encode(TEXTS)
        alone = np.vstack([features.encode([text]) for text in TEXTS])
        assert np.allclose(together, alone, rtol=0, atol=1e-6)
        assert np.allclose(features.encode(TEXTS[::-1])[::-1], together, rtol=0, atol=1e-6)

    def test_have_the_width_they_say_and_length_one(self, features: Features):
        vectors = features.encode(TEXTS)
        assert vectors.shape == (len(TEXTS), features.width)
        lengths = np.linalg.norm(vectors, axis=1)
        assert np.allclose(lengths[[0, 1, 2, 3, 5, 6]], 1.0)

    def test_of_no_text_are_none(self, features: Features):
        assert features.encode([]).shape == (0, features.width)


def test_minilm_holds_what_means_the_same_closer_than_what_does_not():
    rain, weather, jazz, song = MiniLM().encode(TEXTS[:4])
    assert min(rain @ weather, jazz @ song) > max(rain @ jazz, rain @ song, weather @ jazz, weather @ song) + 0.2


def test_hashed_words_are_the_same_in_every_process():
    """CRC-32 of "rain" is 0xb7528aad: place 6 of 8, an odd number; Python's own hash of a text changes."""
    vector = HashedWords(8).encode(["rain"])[0]
    assert np.flatnonzero(vector).tolist() == [6]
    assert vector[6] == -1.0


def test_another_file_than_the_pinned_one_is_refused():
    with pytest.raises(BadInput, match="is not the one that is pinned"):
        shipped_file(MODEL[0], MODEL[1], "0" * 64, INSTALL)


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(BadInput, match=r"ships no other\.onnx"):
        shipped_file(MODEL[0], "other.onnx", MODEL[2], INSTALL)


def test_a_package_that_is_missing_is_named_with_the_extra():
    with pytest.raises(BadInput, match=r"no-such-package is not installed here: install memorepair-graphdb\[embed\]"):
        shipped_file("no-such-package", MODEL[1], MODEL[2], INSTALL)


def test_minilm_is_best_where_it_is_installed_and_hashed_words_elsewhere(monkeypatch: pytest.MonkeyPatch):
    assert isinstance(best_features(), MiniLM)
    monkeypatch.setattr(minilm, "MODEL", ("no-such-package", "", ""))
    assert isinstance(best_features(), HashedWords)


class Counting(HashedWords):
    """Tells how many texts it was asked to read."""

    def __init__(self, width: int = 8) -> None:
        super().__init__(width)
        self.asked: list[int] = []

    def encode(self, texts):
        self.asked.append(len(texts))
        return super().encode(texts)


class TestKeptFeatures:
    def test_read_a_text_once_while_it_is_in_use(self):
        counting = Counting()
        kept = CachedFeatures(counting)
        for texts in (["a", "b", "a"], ["b", "a"], ["b"], ["b", "c"]):
            kept.encode(texts)
        assert counting.asked == [2, 0, 0, 1]

    def test_are_those_they_stand_for(self):
        kept = CachedFeatures(HashedWords(8))
        for texts in (TEXTS, TEXTS[2:], [*TEXTS[::-1], "new", *TEXTS], []):
            assert np.array_equal(kept.encode(texts), HashedWords(8).encode(texts))

    def test_forget_a_set_when_four_others_came_after_it(self):
        counting = Counting()
        kept = CachedFeatures(counting)
        for text in "abcdefa":
            kept.encode([text])
        assert counting.asked == [1] * 7

    def test_cannot_be_spoilt_by_a_caller_that_writes(self):
        kept = CachedFeatures(HashedWords(8))
        kept.encode(["a"])[:] = 7.0
        assert np.array_equal(kept.encode(["a"]), HashedWords(8).encode(["a"]))
