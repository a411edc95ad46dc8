"""A regenerated text may say what its live sources say, and no more: a fault for each check that it alone catches."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.operators.checks.grounding import names_supported, numbers_supported, sentences_contained
from memorepair_graphdb.operators.protocol.context import Context, LiveSource
from memorepair_graphdb.operators.protocol.payload import Payload
from memorepair_graphdb.operators.protocol.verdict import Review, Verdict

SOURCES = {
    "msg/1": "The parcel for Bergen left on Monday. It weighs 1,249 grams; track it as AB-7731.",
    "msg/2": json.dumps({"courier": "Nordpost", "stops": ["Oslo", "Drammen"], "fee": 48.5}),
}
CHECKS = (numbers_supported, names_supported, sentences_contained)


def review(sources: dict[str, str] = SOURCES) -> Review:
    supports = tuple(LiveSource(key, None, Kind.RECORD, content) for key, content in sources.items())
    return Review(Context("summary/1", Kind.SUMMARY, supports=supports), (), lambda word: 0, Payload("-"))


def follows(sentence: str, sources: Sequence[str]) -> bool:
    """A stand-in for a judge: it takes what does not say that something is late."""
    return "late" not in sentence


def verdicts(text: str, entails=follows) -> dict[str, Verdict]:
    judged = [numbers_supported(review(), text), names_supported(review(), text)]
    judged.append(sentences_contained(review(), text, entails=entails))
    return {verdict.check: verdict for verdict in judged}


@pytest.mark.parametrize(
    ("text", "check", "saw"),
    [
        ("The parcel weighs 1,294 grams.", "numbers_supported", "'1294' in 'The parcel weighs 1294 grams.'"),
        ("The parcel costs 48.7 in all.", "numbers_supported", "'48.7' in 'The parcel costs 48.7 in all.'"),
        ("The parcel goes to Hamar.", "names_supported", "'Hamar' in 'The parcel goes to Hamar.'"),
        ("The parcel is tracked as ab-7732x.", "names_supported", "'ab-7732x' in 'The parcel is tracked as ab-7732x.'"),
        ("The parcel is late.", "sentences_contained", "'The parcel is late.'"),
    ],
)
def test_each_check_alone_catches_a_fault_of_its_own(text: str, check: str, saw: str) -> None:
    judged = verdicts(text)
    assert [name for name, verdict in judged.items() if not verdict.ok] == [check]
    assert judged[check].saw == saw
    assert "msg/1, msg/2" in judged[check].wanted


@pytest.mark.parametrize("check", CHECKS)
def test_a_text_copied_from_the_sources_passes(check) -> None:
    assert check(
        review(), "It weighs 1,249 grams; track it as AB-7731.\nNordpost\nThe parcel for Bergen left on Monday."
    ).ok


def test_numbers_and_names_are_found_however_they_are_written() -> None:
    text = "The weight is 1249; the number is ab/7731, from OSLO by nordpost, for 48.5."
    assert numbers_supported(review(), text).ok
    assert names_supported(review(), text).ok


@pytest.mark.parametrize(
    "text",
    [
        "It weighs 1 249 grams.",
        "It weighs 1.249 grams.",
        "It weighs 1'249 g.",
        "It weighs ١٢٤٩ g.",
        "for 48.50? no, 48.5",
    ],
)
def test_another_grouping_of_digits_is_the_same_number(text: str) -> None:
    assert numbers_supported(review(), text).ok == (not text.endswith((" 49", " 48.5")))


def test_a_name_in_another_alphabet_or_with_accents_is_the_same_name() -> None:
    assert names_supported(review(), "The parcel goes to Вergen and to Óslo.").ok
    assert not names_supported(review(), "The parcel goes to Вerlin.").ok


def test_a_name_in_the_plural_of_the_sources_is_not_enough() -> None:
    assert not names_supported(review(), "The parcel goes to Bergenhus.").ok


def test_a_sentence_put_together_from_two_sources_is_in_neither() -> None:
    assert not sentences_contained(review(), "The parcel for Bergen left on Monday, courier Nordpost.").ok
    assert sentences_contained(review(), "The parcel for Bergen left on Monday, courier Nordpost.", entails=follows).ok


@pytest.mark.parametrize("check", CHECKS)
def test_the_operators_phrases_and_the_contracts_it_read_are_grounds(check) -> None:
    text = "Call the tool Weather with 24 hours."
    assert not check(review(), text).ok
    assert check(review(), text, also=[text]).ok


def test_json_is_judged_by_its_leaves() -> None:
    assert not names_supported(review(), json.dumps({"to": "the town of Hamar"})).ok
    assert names_supported(review(), json.dumps({"to": "the town of Drammen"})).ok


def test_without_a_source_every_number_is_made_up() -> None:
    verdict = numbers_supported(review({}), "It costs 48.")
    assert not verdict.ok
    assert verdict.wanted == "one that stands in a live source, of which there is none"
