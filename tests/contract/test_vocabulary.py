"""What each event type and each outcome means is said in total tables, and the terminal has a style for each outcome.

Needs no server.
"""

from __future__ import annotations

import pytest

from memorepair_graphdb import EventType, Outcome
from memorepair_graphdb.cli.render.text import STYLES
from memorepair_graphdb.model.vocabulary import EVENT_MEANINGS, OUTCOME_MEANINGS


def test_every_event_type_and_every_outcome_has_its_meaning() -> None:
    assert list(EVENT_MEANINGS) == list(EventType)
    assert list(OUTCOME_MEANINGS) == list(Outcome)


def test_the_terminal_has_a_style_for_every_outcome_and_no_other() -> None:
    assert set(STYLES) == set(Outcome)


@pytest.mark.parametrize("type_", EventType)
def test_an_event_type_says_nothing_that_contradicts_itself(type_: EventType) -> None:
    meaning = type_.meaning
    assert bool(meaning.retirement) == meaning.may_retire_roots
    assert (meaning.field == "roots") == (not meaning.replaces_roots)
    assert meaning.replaces_roots or meaning.may_retire_roots


def test_fields_of_event_files_and_words_for_outcomes_are_not_shared() -> None:
    assert len({type_.meaning.field for type_ in EventType}) == len(EventType)
    assert len({outcome.meaning.words for outcome in Outcome}) == len(Outcome)


def test_what_came_back_is_final() -> None:
    assert {outcome for outcome in Outcome if outcome.meaning.repaired} == {Outcome.REPLACED, Outcome.PUBLISHED}
    assert all(outcome.meaning.final for outcome in Outcome if outcome.meaning.repaired)
