"""A successor that still says something retracted is caught, each kind of trace by its own rule; clean text passes."""

from __future__ import annotations

import json
import time

import pytest

from memorepair_graphdb.operators.checks.residue import (
    ResidueJudge,
    RetractedIndex,
    judge_payload,
    residue,
    vocabulary_of,
)
from memorepair_graphdb.operators.protocol.payload import Payload
from memorepair_graphdb.operators.protocol.verdict import Verdict

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


@pytest.mark.parametrize(
    ("retracted", "key"),
    [
        ("Does Kowalczyk lead the vote?", "Kowalczyk"),
        ("Does Kowalczyk lead the vote?", "votesKowalczyk"),
        ("The votes of kowalczyk, please.", "votes_of_kowalczyk"),
        (json.dumps({"votes": {"Kowalczyk": 3}}), "Kowalczyk"),
        (json.dumps({"delivery_street": "Rose Lane"}), "delivery_street"),
    ],
)
def test_a_json_key_is_no_word_of_a_schema_unless_it_is_named_or_common(retracted: str, key: str) -> None:
    payload = Payload({"result": [{key: 3}]})
    verdict = residue(payload, (retracted,), (), (), rare)
    assert not verdict.ok
    assert "from a retracted text" in verdict.reason
    assert residue(payload, (retracted,), (), (), common).ok
    named = ResidueJudge(
        (retracted,), (), (), rare, vocabulary=lambda: vocabulary_of({}, {"schema": {"required": [key]}})
    )
    assert judge_payload(payload, named).ok
    assert residue(payload, (retracted,), (json.dumps({key: 1}),), (), rare).ok


def test_a_name_that_was_a_json_key_of_a_retracted_text_is_found_in_prose() -> None:
    retracted = (json.dumps({"votes": {"Kowalczyk": 3, "total": 4}}),)
    assert residue(Payload("Then Kowalczyk was called."), retracted, (), (), rare).reason == (
        "the JSON key 'Kowalczyk' is from a retracted text"
    )
    assert residue(Payload("The total is 7."), retracted, (), (), lambda word: 9 if word == "total" else 0).ok
    contract = {"poll": {"name": "poll", "outputSchema": {"properties": {"total": {"type": "integer"}}}}}
    named = ResidueJudge(retracted, (), (), rare, vocabulary=lambda: vocabulary_of(contract))
    assert judge_payload(Payload("The total is 7."), named).ok


@pytest.mark.parametrize(
    ("script", "run"),
    [
        ("我们明天下午去北京天安门广场看升旗仪式", slice(1, 15)),
        ("明日の午後は京都の金閣寺へ行きます", slice(1, 15)),
        ("ฉันจะไปเที่ยวเชียงใหม่กับครอบครัวใหญ่ของฉันทุกปี", slice(2, 36)),
    ],
)
def test_scripts_without_spaces_are_compared_by_character(script: str, run: slice) -> None:
    assert not residue(Payload(f"（{script[run]}）"), (script,), (), (), common).ok
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


@pytest.mark.parametrize(
    ("successor", "kind"),
    [
        ("The gate: near the shed the courier left behind the old garden a parcel.", "the words of a sentence"),
        ("Refund of 1 249 asked.", "the number '1 249'"),
        ("Refund of 1.249 asked.", "the number '1.249'"),
        ("Ref. no77341x it is.", "the number '77341'"),
        ("It is ORD77341 indeed.", "the identifier 'ORD-77341'"),
        ("It is 7734l indeed.", "the number '7734l'"),
        ("It was N0vak again.", "the name 'Novak'"),
        ("It was Nоvák again.", "the name 'Novak'"),
        ("alicenovakexamplecom", "the identifier 'alice.novak@example.com'"),
    ],
)
def test_a_trace_in_another_dress_is_the_same_trace(successor: str, kind: str) -> None:
    verdict = judge(successor)
    assert not verdict.ok
    assert verdict.reason.startswith(kind)


def test_digits_typed_for_letters_do_not_hide_an_identifier() -> None:
    verdict = residue(Payload("the key passw0rdx9"), ("The key is PasswordX9.",), (), (), common)
    assert verdict.reason == "the identifier 'PasswordX9' is from a retracted text"


def test_four_fifths_of_a_sentence_are_needed_and_near_together() -> None:
    words = ["courier", "left", "parcel", "behind", "old", "garden", "shed", "near", "gate"]
    assert not judge(" ".join(reversed(words[:8]))).ok
    assert judge(" ".join(reversed(words[:7]))).ok
    assert judge(" and so it goes on and on for ever ".join(reversed(words))).ok


def test_words_that_a_live_source_has_as_near_together_are_no_residue() -> None:
    shuffled = "near the gate the old garden shed behind which the courier left a parcel"
    assert not judge(shuffled).ok
    assert judge(shuffled, live=("By the gate, near the old garden shed: a parcel the courier left behind.",)).ok
    apart = " ".join(["the courier left a parcel", *["and more"] * 60, "the old garden shed near the gate behind"])
    assert not judge(shuffled, live=(apart,)).ok


def test_a_table_of_live_cells_is_no_bag_though_a_request_asked_for_the_same() -> None:
    retracted = ("Show me the property records and the transactions of the zipcode for a developer.",)
    live = (json.dumps({"name": "records/show"}), "Property records", json.dumps({"zipcode": "transactions of"}))
    table = Payload("# records/show\n\nProperty records\n\n| `zipcode` | transactions of | developer |\n")
    prose = Payload("Show zipcode property, transactions, records.")
    assert residue(table, retracted, live, (), common).ok
    assert residue(prose, retracted, live, (), common).reason.startswith("the words of a sentence")


def test_a_sentence_of_small_words_is_told_apart_only_by_all_of_them() -> None:
    retracted = ("Can you do it for me?",)
    assert not residue(Payload("for me can you do it"), retracted, (), (), common).ok
    assert residue(Payload("can you do this and for me"), retracted, (), (), common).ok


def test_the_operators_own_words_do_not_make_up_a_bag() -> None:
    retracted = ("Parameters, an example call and what earlier calls showed.",)
    text = Payload("What earlier calls showed\nan example call\nParameters")
    phrases = ("Parameters", "Example call", "What earlier calls showed")
    assert not residue(text, retracted, (), (), common).ok
    assert residue(text, retracted, (), phrases, common).ok
    among_others = Payload("earlier calls today: parameters for an example, soon to be showed")
    assert not residue(among_others, retracted, (), (), common).ok
    assert residue(among_others, retracted, (), phrases, common).ok


def test_an_identifier_of_plain_words_is_found_whatever_mark_parts_them() -> None:
    verdict = residue(Payload("the zone europe-oslo"), ("it is in europe/oslo now",), (), (), common)
    assert verdict.reason == "the identifier 'europe/oslo' is from a retracted text"
    assert residue(Payload("all of europe, and oslo"), ("it is in europe/oslo now",), (), (), common).ok


def test_bags_of_a_script_without_spaces_are_of_characters() -> None:
    retracted = ("明日の午後は京都の金閣寺へ行きます",)
    assert not residue(Payload("金閣寺へ行きます明日午後の京都は"), retracted, (), (), common).ok
    assert residue(Payload("明日は行きます"), retracted, (), (), common).ok


def test_a_live_number_may_be_grouped_in_another_way() -> None:
    assert not judge("1 249", live=("in 1 and 249 pieces",)).ok
    assert judge("1 249", live=("for 1,249 euros",)).ok
    assert judge("1,249", live=('{"fee": 1249.5}',)).ok


def test_a_name_is_searched_in_the_space_as_it_was_spelled() -> None:
    asked: list[str] = []

    def frequency(word: str) -> int:
        asked.append(word)
        return 9

    assert residue(Payload("a cafe and a вот"), ("Das café, вот.",), (), (), frequency).ok
    assert asked == ["café", "вот"]


def test_where_all_is_capitals_none_of_them_says_name() -> None:
    shouted = ("PLEASE SEND THE PARCEL TO THE DEPOT",)
    assert residue(Payload("a parcel came"), shouted, (), (), common).ok
    assert not residue(Payload("a parcel came"), shouted, (), (), rare).ok
    assert not residue(Payload("a parcel came"), ("Please send it by Parcel to the depot",), (), (), common).ok


def test_parts_of_addresses_are_nobodys_names() -> None:
    assert residue(Payload("the api of www.other.org"), ("Ask the API, see https://www.example.org",), (), (), rare).ok


@pytest.mark.parametrize(
    "text", ["1 " * 10_000, "1" * 30_000, "a_" * 10_000, "a" * 30_000, "а" * 30_000, "1-" * 10_000]
)
def test_no_text_makes_it_slow(text: str) -> None:
    started = time.process_time()
    judge(text, live=(text[:1000],))
    residue(Payload("fine"), (text,), (), (), common)
    assert time.process_time() - started < 6
