"""A successor that still says something retracted is caught, each kind of trace by its own rule; clean text passes."""

from __future__ import annotations

import json
import time

import pytest

from memorepair_graphdb.operators.payload import Payload
from memorepair_graphdb.operators.residue import RetractedIndex, residue
from memorepair_graphdb.operators.verdict import Verdict

TICKET = (
    "The customer Alice Novak asked on Monday for a refund of 1,249.50 euros. "
    "Her order ORD-77341 went to 12 Rose Lane, and she writes from alice.novak@example.com. "
    "She likes green tea. The courier left the parcel behind the old garden shed near the gate."
)


def common(word: str) -> int:
    """Every word is in many artifacts."""
    return 50


def rare(word: str) -> int:
    """No word is in any other artifact."""
    return 0


def judge(text: object, live: tuple[str, ...] = (), frequency=common, templates=(), metadata=None) -> Verdict:
    return residue(Payload(text, metadata=metadata), (TICKET,), live, templates, frequency)


@pytest.mark.parametrize(
    ("successor", "kind"),
    [
        ("As noted, she likes green tea every day.", "the sentence 'she likes green tea'"),
        ("Seen: left the parcel behind the old garden shed, they say.", "the run of words"),
        ("The mail is alice.novak@example.com now.", "the identifier 'alice.novak@example.com'"),
        ("Look up ord/77341 first.", "the identifier 'ORD-77341'"),
        ("House 12 it was.", "the number '12'"),
        ("A novak called.", "the name 'Novak'"),
    ],
)
def test_each_kind_of_trace_is_caught_by_its_own_rule(successor: str, kind: str) -> None:
    verdict = judge(successor)
    assert not verdict.ok
    assert verdict.check == "residue"
    assert verdict.reason.startswith(kind)


def test_a_rare_word_is_caught_where_a_common_one_passes() -> None:
    assert judge("The courier came.", frequency=common).ok
    assert judge("The courier came.", frequency=rare).reason == "the rare word 'courier' is from a retracted text"


def test_four_artifacts_make_a_word_rare_and_five_do_not() -> None:
    assert not judge("a courier", frequency=lambda word: 4).ok
    assert judge("a courier", frequency=lambda word: 5).ok


@pytest.mark.parametrize(
    "successor",
    [
        "SHE LIKES GREEN TEA",
        "she  likes\ngreen — tea",
        "she li\u200bkes gr\u00aden t\ufeffea".replace("gr\u00aden", "gr\u00adeen"),
        "ｓｈｅ ｌｉｋｅｓ ｇｒｅｅｎ ｔｅａ",
        "refund of 1249.50",
        "refund of 1,249.50",
        '{"note":"she likes green tea"}',
        '{"alice.novak@example.com":true}',
        '{"deep":[{"er":["Ord-77341"]}]}',
    ],
)
def test_case_spacing_width_and_wrapping_do_not_hide_a_trace(successor: str) -> None:
    assert not judge(successor).ok


def test_what_a_live_source_says_too_is_no_residue() -> None:
    assert judge("Alice Novak likes tea; she likes green tea", live=("Alice Novak: she likes green tea",)).ok
    assert judge("Alice Novak", live=(json.dumps({"name": "Alice Novak"}),)).ok


def test_a_run_is_not_excused_by_two_live_sources_that_hold_its_halves() -> None:
    halves = ("the courier left the parcel behind the", "behind the old garden shed near the gate.")
    assert not judge("The courier left the parcel behind the old garden shed near the gate.", live=halves).ok


def test_two_live_lines_may_meet_where_a_sentence_ends() -> None:
    retracted = ("Send me the link. Furthermore provide a list of the parts we need.",)
    live = ("Please send me the link. Then wait.", "Furthermore provide a list of the parts you have.")
    lines = Payload("Please send me the link.\nFurthermore provide a list of the parts you have.")
    assert residue(lines, retracted, live, (), common).ok
    assert not residue(lines, retracted, live[:1], (), common).ok
    assert not residue(Payload("send me the link furthermore provide a list of"), retracted, live, (), common).ok


def test_a_line_break_does_not_hide_a_run() -> None:
    assert not judge("the courier left the\nparcel behind the old\ngarden shed near the gate").ok


def test_the_operators_own_phrases_are_no_residue() -> None:
    assert not judge("on Monday").ok
    assert judge("on Monday", templates=("On Monday",)).ok


def test_a_template_filled_in_from_a_live_source_is_no_residue() -> None:
    retracted = ("How to use the tool weather", "How to use the tool weather in the city of Oslo today")
    payload = Payload("How to use the tool weather")
    form = ("How to use the tool",)
    assert not residue(payload, retracted, ("weather",), (), common).ok
    assert not residue(payload, retracted, (), form, common).ok
    assert residue(payload, retracted, ("weather",), form, common).ok
    whole = Payload(retracted[1])
    assert not residue(whole, retracted, ("weather in the city", "of Oslo today"), form, common).ok


def test_clean_text_passes() -> None:
    assert judge("Refunds are paid within 5 days. Ask for the receipt and/or the invoice, e.g. by mail.").ok


def test_metadata_is_searched_as_the_content_is() -> None:
    assert not judge("fine", metadata={"source": "alice.novak@example.com"}).ok


def test_nothing_retracted_means_nothing_to_find() -> None:
    assert residue(Payload(TICKET), (), (), (), rare).ok


def test_a_key_of_a_live_source_excuses_the_word() -> None:
    assert residue(Payload("by city"), ("The city, she said.",), (json.dumps({"city": 1}),), (), rare).ok


def test_a_schemas_keys_are_nobodys_words() -> None:
    retracted = (json.dumps({"delivery_street": "Rose Lane"}),)
    assert residue(Payload({"delivery_street": "Main"}), retracted, (), (), rare).ok


@pytest.mark.parametrize(
    "script",
    ["我们明天下午去北京天安门广场看升旗仪式", "ฉันจะไปเที่ยวเชียงใหม่กับครอบครัว", "明日の午後は京都の金閣寺へ行きます"],
)
def test_scripts_without_spaces_are_compared_by_character(script: str) -> None:
    assert not residue(Payload(f"（{script[1:15]}）"), (script,), (), (), common).ok
    assert residue(Payload(script[3:9]), (script,), (), (), common).ok


def test_frequency_is_asked_only_of_words_that_no_live_source_holds() -> None:
    asked: list[str] = []

    def frequency(word: str) -> int:
        asked.append(word)
        return 9

    residue(Payload("courier and parcel and window"), (TICKET,), ("the courier",), (), frequency)
    assert asked == ["parcel"]


def test_the_index_is_built_once_for_a_set_of_texts() -> None:
    assert RetractedIndex.of((TICKET, "b")) is RetractedIndex.of([TICKET, "b"])


def test_a_thousand_small_candidates_are_judged_in_a_second() -> None:
    texts = [f"The tool takes a city and gives the forecast, call {n % 9}. " * 3 for n in range(1000)]
    started = time.process_time()
    assert all(judge(text, live=("The forecast is for the city.",)).ok for text in texts)
    assert time.process_time() - started < 1.0
