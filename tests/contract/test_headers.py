"""The header of a `.cypher` file is its contract: parsed, checked both ways, and held to a committed snapshot.

Needs no server.
"""

from __future__ import annotations

import ast
import difflib
import json
import re
import subprocess
import sys

import pytest

from memorepair_graphdb.store.queries import CypherFileError, library, parse, query
from tests.contract import snapshot

NOT_CODE = re.compile(r"//[^\n]*|'(?:\\.|[^'\\])*'")
"""Comments and texts in single quotes."""

GOOD = "// Say hello.\n//\n// access:  read\n// params:  space STRING\n// returns: said STRING\nRETURN $space AS said\n"


def _text(value: object) -> list[str]:
    return json.dumps(value, indent=1, ensure_ascii=False).splitlines()


def test_the_contract_is_the_one_that_was_committed() -> None:
    changed = difflib.unified_diff(
        _text(snapshot.committed()), _text(snapshot.current()), "committed", "cypher/", lineterm="", n=4
    )
    shown = "\n".join(changed)
    assert not shown, f"a header changed; if it was meant: python -m tests.contract.snapshot\n{shown}"


def test_a_header_is_read_whole() -> None:
    read = parse("greet/hello", GOOD)
    assert (read.name, read.purpose, read.access) == ("greet/hello", "Say hello.", "read")
    assert (dict(read.params), dict(read.returns)) == ({"space": "STRING"}, {"said": "STRING"})


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("// access:  read\n", "", "lacks a header"),
        ("// params:  space STRING\n", "", "lacks a header"),
        ("// returns: said STRING\n", "", "lacks a header"),
        ("// Say hello.\n", "", "lacks a header"),
        (GOOD, "", "lacks a header"),
        ("access:  read", "access:  admin", "access is read, write or schema, not admin"),
        ("params:  space STRING", "params:  none", r"declares \[\] and uses \['space'\]"),
        ("RETURN $space", "RETURN 'x'", r"declares \['space'\] and uses \[\]"),
        ("RETURN $space", "RETURN '$space'", "uses \\[\\]"),
        ("RETURN $space", "// $space\nRETURN 1", "uses \\[\\]"),
        ("params:  space STRING", "params:  space STRING, spice STRING", "spice"),
        ("params:  space STRING", "params:  space string", "cannot read"),
        ("params:  space STRING", "params:  space STRING extra", "cannot read"),
        ("returns: said STRING", "returns: said", "cannot read"),
        ("returns: said STRING", "returns: said STRING, said STRING", "twice"),
    ],
)
def test_a_file_that_contradicts_its_header_is_refused(old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(CypherFileError, match=said):
        parse("greet/hello", GOOD.replace(old, new))


def test_a_wrong_name_fails_at_import() -> None:
    with pytest.raises(ImportError, match=r"there is no cypher/retrieve/everything\.cypher"):
        query("retrieve/everything")


def test_parameters_are_exactly_those_declared() -> None:
    with pytest.raises(TypeError, match=r"retrieve/get takes \['key', 'space'\]"):
        query("retrieve/get").run(None, space="s")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not"):
        query("retrieve/get").run(None, space="s", key="k", more=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(library()))
def test_a_file_can_be_read_by_a_person(name: str) -> None:
    read = library()[name]
    assert read.purpose.endswith((".", ".)")), read.purpose
    assert "\t" not in read.text
    assert read.text.endswith("\n")
    assert ";" not in NOT_CODE.sub("", read.text), "one statement a file"


def test_every_statement_is_asked_for_by_name_somewhere() -> None:
    """A file that nobody runs is for people: it must say so by being listed here."""
    for_people = {"retrieve/hidden"}
    named = set()
    for path in sorted(snapshot.PLACE.parents[2].joinpath("memorepair_graphdb").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in library():
                named.add(node.value)
    families = ("check/", "schema/", "browser/", "bench/")
    unused = {name for name in library() if name not in named and not name.startswith(families)}
    assert unused == for_people


def test_the_library_is_read_once_and_cannot_be_changed() -> None:
    code = "from memorepair_graphdb.store.queries import library; assert library() is library(); library()['x'] = 1"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "TypeError" in done.stderr
