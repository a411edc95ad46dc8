"""Makes summaries that go wrong: they say what was deleted, what nobody said, or what somebody said otherwise.

The sentences of a case share no name and no number, so that a changed one is nobody's.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ....model.artifact import Kind
from ....operators.protocol.context import Context, LiveSource
from ....operators.protocol.payload import Payload
from .case import Case, Injure, Ward, altered
from .words import DAYS, WordSource

TEMPLATES = (
    "{person} in {place} is waiting for order {number} since {day}.",
    "The {good} of order {number} was sent to {person} on {day}.",
    "{person} has paid {number} crowns for a {good} and wants it delivered to {place}.",
    "Refund {number} is approved for {person} because the {good} was broken.",
    "On {day} the shop in {place} had {number} visitors and sold one {good}.",
)
INVENTED = (
    "The customers were very pleased with everything.",
    "Nobody has complained about the deliveries so far.",
    "All of the refunds are going to be paid within a week.",
)
RETOLD = (
    "There was a question about {trace} before.",
    "Keep {trace} in mind when it comes up again.",
    "It had something to do with {trace}, as far as anybody remembers.",
)
SENTENCES = 4
Lines = list[str]
Change = Callable[[Lines, Case, Random], "Lines | None"]
"""The lines of a summary → others, as many; None where it does not apply."""


def sentence(drawn: WordSource, draw: Random) -> str:
    """Return a sentence whose names and numbers stand nowhere else in the case."""
    template = draw.choice(TEMPLATES)
    given = {name: make() for name, make in _fillers(drawn, draw).items() if f"{{{name}}}" in template}
    return template.format(**given)


def case(draw: Random) -> Case:
    """Four messages of which one was deleted; the summary is of the other three."""
    drawn = WordSource(draw)
    texts = [" ".join(sentence(drawn, draw) for _ in range(2)) for _ in range(3)]
    deleted = f"{drawn.person()} of {drawn.number()} Elm Road in {drawn.place()} asks where the money for the boat is."
    supports = tuple(LiveSource(f"msg/{number}", None, Kind.RECORD, text) for number, text in enumerate(texts))
    name = " ".join(deleted.split()[:2])
    recipe = {
        "sentences": SENTENCES,
        "schema": {"type": "string", "minLength": 1, "maxLength": 2000},
        "checks": [
            {"question": "Who is forgotten?", "must": ["order"] if _all_say(texts, "order") else [], "must_not": [name]}
        ],
    }
    return Case(Context("summary/1", Kind.SUMMARY, recipe=recipe, supports=supports), (deleted,))


def _all_say(texts: list[str], word: str) -> bool:
    """Return whether any choice of sentences must say the word: then a stored check may ask for it."""
    return all(word in one for text in texts for one in text.split(". "))


def _fillers(drawn: WordSource, draw: Random) -> dict[str, Callable[[], object]]:
    return {
        "person": drawn.person,
        "place": drawn.place,
        "good": drawn.good,
        "number": drawn.number,
        "day": lambda: draw.choice(DAYS),
    }


def _instead(make: Callable[[Case, Random], str]) -> Change:
    """Replace one line by another."""

    def change(lines: Lines, case: Case, draw: Random) -> Lines | None:
        lines[draw.randrange(len(lines))] = make(case, draw)
        return lines

    return change


def _trace(words: slice) -> Callable[[Case, Random], str]:
    def make(case: Case, draw: Random) -> str:
        return draw.choice(RETOLD).format(trace=" ".join(case.retracted[0].split()[words]))

    return make


def _digits(lines: Lines, case: Case, draw: Random) -> Lines | None:
    place = draw.randrange(len(lines))
    number = next((word for word in lines[place].split() if word.strip(".").isdecimal()), None)
    if number is None:
        return None
    lines[place] = lines[place].replace(number.strip("."), str(int(number.strip(".")) + draw.choice([-1, 1, 10])))
    return lines


def _swapped_names(lines: Lines, case: Case, draw: Random) -> Lines | None:
    return _swap(lines, [word for word in _words(lines) if word.istitle() and word not in DAYS], draw)


def _swapped_numbers(lines: Lines, case: Case, draw: Random) -> Lines | None:
    return _swap(lines, [word for word in _words(lines) if word.isdecimal()], draw)


def _words(lines: Lines) -> list[str]:
    """Return every word but the first of each line."""
    return [word.strip(".,") for line in lines for word in line.split()[1:]]


def _swap(lines: Lines, words: list[str], draw: Random) -> Lines | None:
    """Exchange two words that stand in different lines."""
    for one in draw.sample(words, len(words)):
        for other in words:
            ours, theirs = _line_of(one, lines), _line_of(other, lines)
            if ours != theirs and one != other:
                lines[ours] = lines[ours].replace(one, other)
                lines[theirs] = lines[theirs].replace(other, one)
                return lines
    return None


def _line_of(word: str, lines: Lines) -> int:
    return next(place for place, line in enumerate(lines) if word in line)


def _negated(lines: Lines, case: Case, draw: Random) -> Lines | None:
    place = draw.randrange(len(lines))
    for verb in (" is ", " was ", " has ", " had "):
        if verb in lines[place]:
            lines[place] = lines[place].replace(verb, f"{verb}not ", 1)
            return lines
    return None


def _spliced(lines: Lines, case: Case, draw: Random) -> Lines | None:
    if len(lines) < 2:
        return None
    one, other = (line.split() for line in draw.sample(lines, 2))
    lines[0] = " ".join([*one[: len(one) // 2], *other[len(other) // 2 :]])
    return lines


def _broken_off(lines: Lines, case: Case, draw: Random) -> Lines | None:
    place = draw.randrange(len(lines))
    words = lines[place].split()
    lines[place] = " ".join(words[: draw.randint(2, len(words) - 2)])
    return lines


def _beginning_lost(lines: Lines, case: Case, draw: Random) -> Lines | None:
    place = draw.randrange(len(lines))
    words = lines[place].split()
    lines[place] = " ".join(words[draw.randint(2, len(words) - 2) :])
    return lines


def _cut_word(lines: Lines, case: Case, draw: Random) -> Lines | None:
    place = draw.randrange(len(lines))
    lines[place] = lines[place][: -draw.randint(2, 3)]
    return lines


def _run_together(lines: Lines, case: Case, draw: Random) -> Lines | None:
    return [*lines[:-2], f"{lines[-2]} {lines[-1]}"] if len(lines) > 1 and not _beside(lines[-2:], case) else None


def _beside(lines: Lines, case: Case) -> bool:
    return any(" ".join(lines) in source.content for source in case.context.supports)


def _too_much(case: Case, payload: Payload, draw: Random) -> Payload | None:
    lines, keys = [], []
    for source in case.context.supports:
        for one in source.content.split(". "):
            lines.append(one if one.endswith(".") else f"{one}.")
            keys.append([source.key])
    metadata = None if payload.metadata is None else {**payload.metadata, "sources": keys}
    return altered(payload, "\n".join(lines), metadata=metadata) if len(lines) > SENTENCES else None


def _changed(change: Change) -> Injure:
    """Return a payload with the lines changed and the metadata as it is: an injured line stays in its source's name."""

    def injure(case: Case, payload: Payload, draw: Random) -> Payload | None:
        lines = change(payload.content.split("\n"), case, draw)
        return None if lines is None else altered(payload, "\n".join(lines))

    return injure


SORTS: dict[str, Injure] = {
    "the deleted sentence": _changed(_instead(lambda case, draw: case.retracted[0])),
    "the deleted sentence in capitals": _changed(_instead(lambda case, draw: case.retracted[0].upper())),
    "the deleted name retold": _changed(_instead(_trace(slice(0, 2)))),
    "the deleted number retold": _changed(_instead(_trace(slice(3, 4)))),
    "the deleted address retold": _changed(_instead(_trace(slice(3, 6)))),
    "an invented sentence": _changed(_instead(lambda case, draw: draw.choice(INVENTED))),
    "a number is another": _changed(_digits),
    "two numbers change places": _changed(_swapped_numbers),
    "two names change places": _changed(_swapped_names),
    "a sentence is negated": _changed(_negated),
    "two halves of two sentences": _changed(_spliced),
    "a sentence breaks off": _changed(_broken_off),
    "a sentence has lost its beginning": _changed(_beginning_lost),
    "a word is cut off": _changed(_cut_word),
    "two sentences of two sources run together": _changed(_run_together),
    "longer than asked for": _too_much,
}


def _misnamed(case: Case, payload: Payload, draw: Random) -> Payload | None:
    """Give a line to a live source that does not say it."""
    keys = {source.key for source in case.context.supports}
    place = draw.randrange(len(payload.metadata["sources"]))
    others = sorted(keys - set(payload.metadata["sources"][place]))
    named = [*payload.metadata["sources"]]
    named[place] = [draw.choice(others)]
    return altered(payload, payload.content, metadata={**payload.metadata, "sources": named})


def _gone_source(case: Case, payload: Payload, draw: Random) -> Payload | None:
    named = [*payload.metadata["sources"][:-1], ["msg/9"]]
    return altered(payload, payload.content, metadata={**payload.metadata, "sources": named})


def _unnamed(case: Case, payload: Payload, draw: Random) -> Payload | None:
    return altered(payload, payload.content, metadata=draw.choice([None, {}, {"sources": []}]))


OF_SOURCES: dict[str, Injure] = {
    "a line in the name of another source": _misnamed,
    "a line in the name of a source that is gone": _gone_source,
    "no sources named": _unnamed,
}
SCHEMA, REGRESSION = frozenset({"schema"}), frozenset({"regression"})
SUMMARIES = Ward("summary", "summary@2", case, SORTS | OF_SOURCES, SCHEMA, REGRESSION)
PLAIN_SUMMARIES = Ward("summary", "summary@1", case, SORTS, SCHEMA, REGRESSION)
