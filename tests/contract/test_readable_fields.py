"""Every property of an artifact is either looked through for residue, or known to hold no text of its writer's."""

from __future__ import annotations

import re

from memorepair_graphdb.operators.checks.residue import ReadableFields
from memorepair_graphdb.operators.checks.residue.fields import FROM_ELSEWHERE, READABLE
from memorepair_graphdb.store.queries import folder


def test_every_property_of_an_artifact_is_looked_through_or_holds_no_text_of_its_writers() -> None:
    block = (folder() / "blocks" / "properties.cypher").read_text("utf-8")
    properties = set(re.findall(r"(\w+):", "\n".join(line for line in block.splitlines() if "//" not in line)))
    assert {"content", "recipe", "tool"} <= properties
    assert properties | {"key", "role"} == set(READABLE) | set(FROM_ELSEWHERE)


def test_the_fields_that_are_looked_through_are_all_told_in_one_place() -> None:
    fields = ReadableFields("k", "c", b"b", {"m": 1}, {"r": 1}, ("role",))
    assert tuple(field for field, _ in fields.texts()) == READABLE


def test_a_blob_is_looked_through_where_it_is_text() -> None:
    assert dict(ReadableFields(blob=b"Ann").texts())["blob"] == "Ann"
    assert "blob" not in dict(ReadableFields(blob=b"\xff\xfe\x00").texts())
