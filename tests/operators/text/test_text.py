"""Two spellings that a reader takes for the same become one; what a reader tells apart stays apart."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from memorepair_graphdb.operators.text import clean, figures, phrase, spellings, tokens, typed_readings


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Аlіcе Nоvаk", "alice novak"),  # Cyrillic
        ("ΑNΝΑ οf ΒERN", "anna of bern"),  # Greek
        ("Àlïçé Ňôvąk", "alice novak"),
        ("Łódź, Ærø, Đakovo, ıstanbul", "lodz æro dakovo istanbul"),
        ("ａｌｉｃｅ 𝐍𝐨𝐯𝐚𝐤 ﬁle", "alice novak file"),
        ("ali\u200bce no\u00advak \ufefftea", "alice novak tea"),
        ("a\u0336l\u0336i\u0336c\u0336e\u0336", "alice"),
        ("٢٠٢٦ and २०२६ and ２０２６", "2026 and 2026 and 2026"),
        ("1,249,500 but 1,2", "1249500 but 1 2"),
    ],
)
def test_look_alikes_accents_and_widths_are_one_spelling(written: str, read: str) -> None:
    assert tokens(clean(written)) == read.split()


@pytest.mark.parametrize("word", ["вот", "москва", "νερό", "łódź", "straße", "кино", "ελλάδα", "елена"])
def test_a_word_of_any_alphabet_is_the_same_in_capitals(word: str) -> None:
    assert tokens(clean(word)) == tokens(clean(word.upper())) == tokens(clean(word.title()))


def test_scripts_that_need_their_marks_keep_them() -> None:
    assert clean("がぎぐ") == "がぎぐ"
    assert clean("か") != clean("が")
    assert clean("हिन्दी") == "हिन्दी"
    assert clean("ไทยกลาง") == "ไทยกลาง"


def test_ascii_text_leaves_as_it_came() -> None:
    text = "Ann's e-mail: ann_berg@example.com, 50% of O0 and l1."
    assert clean(text) == text


def test_case_is_kept_for_who_looks_for_names() -> None:
    assert clean("Мария Čapek").split()[1] == "Capek"
    assert clean("Оslo") == "Oslo"


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("+1 (555) 123-4567", "15551234567"),
        ("on 2026-05-04", "20260504"),
        ("1'249'500 francs", "1249500"),
        ("order no77341x", "77341"),
        ("7.7.3.4.1", "77341"),
        ("12 34", "1234"),
    ],
)
def test_a_number_is_found_however_its_digits_are_grouped(text: str, digits: str) -> None:
    assert digits in {figure.digits for figure in figures(text)}


def test_figures_have_four_digits_at_least_and_do_not_cross_words() -> None:
    assert list(figures("12 and 34, room 881, 7 of 9")) == []


def test_the_figures_of_a_table_are_found_in_linear_time() -> None:
    started = time.process_time()
    count = sum(1 for _ in figures(" ".join(str(n % 10) for n in range(20_000))))
    assert time.process_time() - started < 3
    assert count < 20_000 * 25


def test_digits_typed_for_letters_and_letters_for_digits() -> None:
    assert typed_readings("3463l428o39") == ("34631428039",)
    assert "novak" in typed_readings("n0vak")
    assert {"milk"} <= set(typed_readings("m1lk"))
    assert typed_readings("covid19") == ()


def test_a_search_is_asked_for_the_word_as_it_was_spelled() -> None:
    assert spellings("Ein Café in Malmö, вот") == {"cafe": "café", "malmo": "malmö", "bot": "вот"}
    assert spellings("a cafe") == {}


def test_a_phrase_of_two_spellings_is_one() -> None:
    assert phrase("Аlice’s  TEA") == phrase("alice's tea") == " alice s tea "


def test_ascii_text_never_loads_the_table_of_look_alikes() -> None:
    code = (
        "import sys; from memorepair_graphdb.operators.text import clean; clean('plain'); "
        "print('confusable_homoglyphs' in sys.modules); clean('Аnn'); print('confusable_homoglyphs' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "True"]
