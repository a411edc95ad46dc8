"""What commands print for each outcome: a new outcome without a colour fails here."""

from __future__ import annotations

from memorepair_graphdb.cli.render.text import STYLES, list_counts, style_outcome
from memorepair_graphdb.model.vocabulary import Outcome


def test_every_outcome_has_a_style() -> None:
    assert set(STYLES) == set(Outcome)
    for outcome in Outcome:
        assert style_outcome(outcome).plain == outcome.value


def test_counts_come_in_the_order_of_the_styles_and_unknown_names_last() -> None:
    counts = {"unheard_of": 1, "conflict": 2, "published": 3}
    assert list_counts(counts).plain == "published 3 · conflict 2 · unheard_of 1"
