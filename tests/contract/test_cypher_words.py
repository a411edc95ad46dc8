"""The words of enumerations in `cypher/` are those of Python: states, kinds, modes, outcomes, statuses, event types.

Every word in quotes, label and relationship type of a statement is looked up; an unknown one fails. Needs no server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

import pytest

from memorepair_graphdb.model.artifact import Arch, Kind, State
from memorepair_graphdb.model.vocabulary import EventStatus, EventType, Mode, Outcome
from memorepair_graphdb.store import nodes
from memorepair_graphdb.store.errors import RULES
from memorepair_graphdb.store.queries import library

PROPERTIES: dict[str, type[StrEnum]] = {
    "kind": Kind,
    "arch": Arch,
    "mode": Mode,
    "outcome": Outcome,
    "outcomes": Outcome,
    "status": EventStatus,
    "type": EventType,
}
"""Properties, and parameters and columns of that name, whose values are an enumeration's."""

WHOLE: tuple[type[StrEnum], ...] = (Kind, Arch, State)
"""Enumerations of which a statement lists all members or none: a new member belongs into every such list."""

ROW = {"done", "refused", "same"}
"""What a write statement says of itself; `same`: it had been done before."""

OTHER = {
    **dict.fromkeys("Σσςßιıi", "a letter that the search form folds"),
    "ss": "what the search form folds a letter to",
    "Artifact": "the label that is no state",
    "any": "an edge of which one of its role is enough",
    "cosine": "a setting of the vector index",
    "declared": "an edge that leaves `required` to the operator",
    "erased": "the reason that an erased artifact is left with",
    "memorepair": "the name of the schema node",
    "memorepair_": "what our indexes begin with",
    "memorepair_demo": "a space of the demo",
    "memorepair_demo_plain": "a space of the demo",
    "memorepair_search_text": "an index",
    "recipe": "what a row may bring, or leave as it was",
    "none": "a property that is absent, in a message",
}
"""Words that are of no enumeration, and why they stand in a statement."""

_COMMENT = re.compile(r"//[^\n]*")
_WORD = re.compile(r"'(\w+)'")
_VALUE = r"(?P<value>'\w+'|\[[^\]]*\]|CASE\b.*?\bEND\b)"
_SET_OR_COMPARED = re.compile(
    rf"\b(?P<name>{'|'.join(PROPERTIES)})(?:\[\w+\])?(?:, ''\))?\s*(?:=|<>|\bIN\b|:)\s*{_VALUE}", re.DOTALL
)
_SUBJECT_OF_CASE = re.compile(rf"CASE \w+\.(?P<name>{'|'.join(PROPERTIES)}) (?P<value>.*?\bEND\b)", re.DOTALL)
_RESULT = re.compile(r"(?:THEN|ELSE)\s+'(\w+)'")
_COMPARED = re.compile(r"WHEN\s+'(\w+)'")
_LIST = re.compile(r"\[('\w+'(?:, '\w+')*)\]")
_LABEL = re.compile(r"[\w)]?:([A-Z][a-z]\w*)")
_RELATION = re.compile(r"\[\w*:([A-Z_|]+)")


def known_words() -> set[str]:
    """Every word that a statement may have in quotes."""
    enumerations: set[type[StrEnum]] = {*PROPERTIES.values(), State}
    members = {str(member) for enumeration in enumerations for member in enumeration}
    return members | set(RULES) | ROW | set(OTHER)


def typed_words(statement: str) -> Iterator[tuple[str, str]]:
    """(property, word) for each word that the statement compares with a property, or sets it to."""
    for found in _SET_OR_COMPARED.finditer(statement):
        words = _RESULT if found["value"].startswith("CASE") else _WORD
        yield from ((found["name"], word) for word in words.findall(found["value"]))
    for found in _SUBJECT_OF_CASE.finditer(statement):
        yield from ((found["name"], word) for word in _COMPARED.findall(found["value"]))


def faults(text: str) -> list[str]:
    """What a statement says that Python does not know."""
    statement = _COMMENT.sub("", text)
    code = re.sub(r"'(?:\\.|[^'\\])*'", "''", statement)
    labels = {str(state) for state in State} | {cls.__label__ for cls in CLASSES}
    return [
        *(f"'{word}'" for word in _WORD.findall(statement) if word not in known_words()),
        *(f"{name} '{word}'" for name, word in typed_words(statement) if word not in set(PROPERTIES[name])),
        *(f":{label}" for label in _LABEL.findall(code) if label not in labels),
        *(f":{kind}" for kinds in _RELATION.findall(code) for kind in kinds.split("|") if kind not in relations()),
        *(f"[{listed}]" for listed in _LIST.findall(statement) if not whole(_WORD.findall(listed))),
    ]


CLASSES = (nodes.ArtifactNode, nodes.RepairEventNode, nodes.GateNode, nodes.SchemaNode)


def relations() -> set[str]:
    """The relationship types of the node classes."""
    return {
        relation.definition["relation_type"]
        for cls in CLASSES
        for relation in cls.defined_properties(aliases=False, properties=False).values()
    }


def whole(words: list[str]) -> bool:
    """Whether a list has all members of an enumeration that may not be listed in part, or none."""
    return all(set(words) == set(listed) or not set(words) & set(listed) for listed in WHOLE)


@pytest.mark.parametrize("name", sorted(library()))
def test_a_statement_uses_words_that_python_knows(name: str) -> None:
    assert faults(library()[name].text) == []


def test_every_property_of_an_enumeration_is_found_somewhere() -> None:
    """A search that found nothing would be content with everything."""
    found = {pair for made in library().values() for pair in typed_words(_COMMENT.sub("", made.text))}
    assert {name for name, _ in found} == set(PROPERTIES)
    assert {("status", "closed"), ("status", "withdrawn"), ("outcome", "conflict"), ("mode", "remove")} <= found
    assert {("outcome", "not_executable"), ("type", "migrate"), ("kind", "skill"), ("arch", "neural")} <= found


def test_other_words_are_all_in_use() -> None:
    used = {word for made in library().values() for word in _WORD.findall(_COMMENT.sub("", made.text))}
    assert set(OTHER) | ROW <= used


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("MATCH (e:RepairEvent) WHERE e.status = 'clsoed' RETURN e", "'clsoed'"),
        ("MATCH (e:RepairEvent) WHERE e.status <> 'removed' RETURN e", "status 'removed'"),
        ("MATCH (e:RepairEvent {status: 'pending'}) RETURN e", "status 'pending'"),
        ("MATCH ()-[r:AFFECTS]->() WHERE r.outcome IN ['published', 'closed'] RETURN r", "outcome 'closed'"),
        ("MATCH ()-[r:AFFECTS]->() SET r.outcome = CASE WHEN true THEN 'regen' ELSE 'removed' END", "outcome 'regen'"),
        ("UNWIND [1] AS n WITH $outcomes[n] IN ['remove'] AS x RETURN x", "outcomes 'remove'"),
        ("MATCH (e) RETURN CASE e.status WHEN 'published' THEN 1 END", "status 'published'"),
        ("MATCH ()-[r:AFFECTS {mode: 'removed'}]->() RETURN r", "mode 'removed'"),
        ("MATCH (a) WHERE coalesce(a.arch, '') = 'skill' RETURN a", "arch 'skill'"),
        ("MATCH (a) WHERE a.kind IN ['record', 'cache'] RETURN a", "['record', 'cache']"),
        ("MATCH (a:Visibel) RETURN a", ":Visibel"),
        ("MATCH (a)-[:INFLUENCES|INFLUENCE]->(b) RETURN a", ":INFLUENCE"),
    ],
)
def test_a_word_that_is_not_known_is_a_fault(statement: str, fault: str) -> None:
    assert fault in faults(statement)


def test_words_in_comments_and_messages_are_free() -> None:
    assert faults("// a 'clsoed' event of :Nothing\nRETURN 'the event is clsoed, see :Nothing' AS detail") == []
