"""Plants leaks: something of a retracted text, disguised, among sentences of the live sources.

What is planted stands in no live source, in any spelling; drawn with a seed, and never with an eye on what is found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from .disguises import around_a_name, in_another_case, in_look_alikes, in_other_digits, re_ordered
from .facts import facts_of, leaves, sentences_of, squeezed, stands
from .scenes import Scene

FRAMES = (
    "it was about {}, as far as anybody remembers",
    "somebody brought up {} before",
    "{} came up earlier on",
    "there had been talk of {} at some point",
    "keep {} in mind when this happens again",
)
"""A retelling in words of our own, of which nothing but what is filled in is anybody's."""
CARRIER_LINES = 4

Draw = Callable[[Scene, Random], "tuple[str, str] | None"]
"""A scene → the secret as it stood there, and as it is planted; None where the scene has none of the sort."""


@dataclass(frozen=True, slots=True)
class Leak:
    """One planted leak."""

    sort: str
    scene: Scene
    secret: str
    """as it stood in the retracted text"""
    planted: str
    """as it stands in the text"""
    text: str
    carrier: str
    """the text without the leak"""


def leaks(scenes: Sequence[Scene], sorts: Mapping[str, Draw], count: int, seed: int) -> Iterator[Leak]:
    """Yield so many leaks, the sorts in turn; no secret is planted twice in one way for one artifact."""
    draw, seen, names = Random(seed), set(), list(sorts)
    made = tries = 0
    while made < count:
        tries += 1
        if tries > 1000 * count:
            raise ValueError(f"no further leak of the sort {names[made % len(names)]!r} can be drawn from the scenes")
        sort, scene = names[made % len(names)], draw.choice(scenes)
        found = sorts[sort](scene, draw)
        if found is None or (sort, scene.key, found) in seen:
            continue
        seen.add((sort, scene.key, found))
        made += 1
        yield _planted(sort, scene, *found, draw)


def _planted(sort: str, scene: Scene, secret: str, planted: str, draw: Random) -> Leak:
    lines = carrier(scene, draw)
    place = draw.randrange(len(lines) + 1)
    whole, without = _wrapped([*lines[:place], planted, *lines[place:]], lines, draw)
    return Leak(sort, scene, secret, planted, whole, without)


def carrier(scene: Scene, draw: Random) -> list[str]:
    """Return up to four lines as they stand in the live sources."""
    lines = [line for content in scene.live for leaf in leaves(content) for line in leaf.splitlines() if line.strip()]
    return draw.sample(lines, min(len(lines), draw.randint(1, CARRIER_LINES)))


def _wrapped(lines: list[str], without: list[str], draw: Random) -> tuple[str, str]:
    way = draw.randrange(4)
    if way == 0:
        return json.dumps({"summary": lines}), json.dumps({"summary": without})
    joint = " " if way == 1 else "\n"
    return joint.join(lines), joint.join(without)


def _a_sentence(scene: Scene, draw: Random) -> str | None:
    """Return a sentence of a retracted text that no live source holds."""
    live = squeezed(" ".join(leaf for content in scene.live for leaf in leaves(content)))
    found = [one for content in scene.retracted for one in sentences_of(content) if squeezed(one) not in live]
    return draw.choice(found) if found else None


def _a_fact(scene: Scene, draw: Random, kinds: Sequence[str]) -> str | None:
    """Return a number, name or identifier of a retracted text that no live source holds."""
    facts = [facts_of(leaf) for content in scene.retracted for leaf in leaves(content)]
    found = [fact for each in facts for kind in kinds for fact in getattr(each, kind) if not stands(fact, scene.live)]
    return draw.choice(found) if found else None


def _verbatim(scene: Scene, draw: Random) -> tuple[str, str] | None:
    sentence = _a_sentence(scene, draw)
    return sentence and (sentence, sentence)  # type: ignore[return-value]


def _case(scene: Scene, draw: Random) -> tuple[str, str] | None:
    return _disguised(scene, draw, in_another_case)


def _look_alike(scene: Scene, draw: Random) -> tuple[str, str] | None:
    return _disguised(scene, draw, in_look_alikes)


def _disguised(scene: Scene, draw: Random, disguise: Callable[[str, Random], str]) -> tuple[str, str] | None:
    """Return a whole sentence, or a fact in a retelling."""
    if draw.random() < 0.5:
        sentence = _a_sentence(scene, draw)
        return None if sentence is None else (sentence, disguise(sentence, draw))
    fact = _a_fact(
        scene, draw, ("names", "identifiers") if disguise is in_another_case else ("names", "identifiers", "numbers")
    )
    return None if fact is None else (fact, draw.choice(FRAMES).format(disguise(fact, draw)))


def _re_ordered(scene: Scene, draw: Random) -> tuple[str, str] | None:
    sentence = _a_sentence(scene, draw)
    if sentence is None:
        return None
    other = re_ordered(sentence, draw)
    return None if squeezed(other) == squeezed(sentence) else (sentence, other)


def _paraphrase(scene: Scene, draw: Random) -> tuple[str, str] | None:
    """Everything but the identifiers, names and numbers of a sentence is said anew; one at least is not live."""
    sentence = _a_sentence(scene, draw)
    facts = facts_of(sentence).all if sentence else ()
    if sentence is None or all(stands(fact, scene.live) for fact in facts):
        return None
    return sentence, draw.choice(FRAMES).format(" and ".join(facts))


def _digits(scene: Scene, draw: Random) -> tuple[str, str] | None:
    number = _a_fact(scene, draw, ("numbers",))
    return None if number is None else (number, draw.choice(FRAMES).format(in_other_digits(number, draw)))


def _names(scene: Scene, draw: Random) -> tuple[str, str] | None:
    name = _a_fact(scene, draw, ("names",))
    return None if name is None else (name, draw.choice(FRAMES).format(around_a_name(name, draw)))


PROMISED: Mapping[str, Draw] = {
    "verbatim": _verbatim,
    "case": _case,
    "look-alike": _look_alike,
    "re-ordered": _re_ordered,
    "paraphrase that keeps identifiers": _paraphrase,
    "digits": _digits,
    "names": _names,
}
"""The sorts of leak of which the check promises to find ≥ 99 %, and ≥ 95 % of each."""
