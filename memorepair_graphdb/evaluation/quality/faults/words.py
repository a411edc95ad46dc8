"""Draws words to make cases from, with a seed: names, places, goods, numbers.

What was retracted and what is live are drawn apart, and share no name and no number.
"""

from __future__ import annotations

from random import Random

PEOPLE = (
    *("Anna Karlsson", "Boris Petrov", "Chidi Okafor", "Dolores Vega", "Emil Lindqvist", "Farah Haddad"),
    *("Goran Novak", "Hana Suzuki", "Ines Moreau", "Jonas Weber", "Katya Orlova", "Liam Byrne"),
    *("Mei Tanaka", "Nuno Carvalho", "Olga Zielinska", "Pablo Herrera"),
)
PLACES = ("Oslo", "Lima", "Rome", "Perth", "Quito", "Cairo", "Turin", "Kyoto", "Bergen", "Dakar", "Porto", "Tunis")
GOODS = ("kettle", "lantern", "bicycle", "printer", "carpet", "telescope", "blender", "sofa", "ladder", "mirror")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class WordSource:
    """People, places and numbers of one case, each drawn once."""

    def __init__(self, draw: Random) -> None:
        self._people = draw.sample(PEOPLE, len(PEOPLE))
        self._places = draw.sample(PLACES, len(PLACES))
        self._goods = draw.sample(GOODS, len(GOODS))
        self._numbers = draw.sample(range(1000, 9999), 200)

    def person(self) -> str:
        """Return a name of two words that nobody else in the case has."""
        return self._people.pop()

    def place(self) -> str:
        """Return a place that no other sentence of the case names."""
        return self._places.pop()

    def good(self) -> str:
        """Return a thing that no other sentence of the case names."""
        return self._goods.pop()

    def number(self) -> int:
        """Return four digits that stand nowhere else in the case."""
        return self._numbers.pop()
