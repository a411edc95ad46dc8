"""What several statements share stands once in `cypher/blocks/`, and is written from there into each of them.

The script is run as a developer runs it, on a copy where something is wrong. Needs no server.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memorepair_graphdb.store.queries import folder, library, parse
from tests.contract.repeats import SHORTEST, read, repeated, statement_lines

CHECKOUT = Path(__file__).parents[2]
SCRIPT = CHECKOUT / "scripts" / "write_blocks.py"
BLOCKS = sorted(path.stem for path in folder().joinpath("blocks").glob("*.cypher"))

ONE = "// begin block: one_stripe\n"
END = "// end block: one_stripe\n"


def write_blocks(cypher: Path, *options: str) -> tuple[int, str]:
    """Exit code and all that the script says."""
    command = [sys.executable, str(SCRIPT), str(cypher), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Give a copy of `cypher/`."""
    return Path(shutil.copytree(folder(), tmp_path / "cypher"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_every_statement_is_as_its_blocks_say() -> None:
    assert write_blocks(folder(), "--check") == (0, "")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("repair/claim", "SET gate.lock = true\n", "", "repair/claim.cypher: not as its blocks say; run `make cypher`"),
        ("blocks/gate", "SET gate.lock = true\n", "", "publish/close.cypher: not as its blocks say"),
        ("repair/claim", ONE, "// begin block: some_stripe\n", "there is no block some_stripe"),
        ("repair/claim", END, "", "`// begin block: event_lock` inside of block one_stripe"),
        ("repair/claim", ONE, "", "`// end block: one_stripe` inside of block None"),
        ("repair/claim", END, "// end block: all_stripes\n", "`// end block: all_stripes` inside of block one_stripe"),
        ("retrieve/get", "LIMIT 1\n", f"LIMIT 1\n{ONE}", "block one_stripe has no end"),
        ("blocks/one_stripe", "// block: gate", "// block: fence", "there is no block fence"),
        ("blocks/gate", "\n\n", "\n", "block gate is not a comment, an empty line and a text"),
        ("blocks/gate", "// Take", "Take", "block gate is not a comment, an empty line and a text"),
    ],
)
def test_what_is_not_as_its_blocks_say_is_refused(copy: Path, file: str, old: str, new: str, said: str) -> None:
    change(copy / f"{file}.cypher", old, new)
    code, told = write_blocks(copy, "--check")
    assert code == 1
    assert said in told


def test_a_block_that_no_statement_uses_is_refused(copy: Path) -> None:
    copy.joinpath("blocks", "spare.cypher").write_text("// Spare.\n\nRETURN 1\n", encoding="utf-8")
    assert write_blocks(copy, "--check") == (1, "block spare is used nowhere\n")


def test_an_edit_of_a_block_is_written_into_every_statement_that_uses_it(copy: Path) -> None:
    change(copy / "blocks" / "properties.cypher", "tool: template.tool", "tool: template.tool, origin: template.origin")
    code, told = write_blocks(copy)
    written = {Path(line).stem for line in told.splitlines()}
    assert (code, written) == (0, {"derive", "derive_held", "load", "record", "withdraw", "stage"})
    assert write_blocks(copy, "--check") == (0, "")
    for name in ("artifact/record", "publish/stage"):
        text = copy.joinpath(f"{name}.cypher").read_text(encoding="utf-8")
        assert parse(name, text).text.count("origin: template.origin") == 1


def test_a_check_writes_nothing(copy: Path) -> None:
    change(copy / "blocks" / "gate.cypher", "SET gate.lock = true\n", "")
    before = read(copy)
    assert write_blocks(copy, "--check")[0] == 1
    assert read(copy) == before


def test_markers_are_as_far_indented_as_the_text_between_them(copy: Path) -> None:
    change(copy / "retrieve" / "get.cypher", "LIMIT 1\n", "LIMIT 1\n    // begin block: walk\n    // end block: walk\n")
    assert write_blocks(copy)[0] == 0
    lines = copy.joinpath("retrieve", "get.cypher").read_text(encoding="utf-8").splitlines()[-4:]
    assert [line[:5].rstrip() for line in lines] == ["    /", "    M", "    W", "    /"]


def test_blocks_are_no_statements() -> None:
    assert [name for name in library() if name.startswith("blocks/")] == []


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_says_what_it_is_for_and_stands_in_several_places(name: str) -> None:
    header = folder().joinpath("blocks", f"{name}.cypher").read_text(encoding="utf-8").split("\n\n")[0]
    assert header.splitlines()[0].startswith("// ")
    assert header.rstrip().endswith(".")
    marker = re.compile(rf"// (?:begin )?block: {name}\n")
    assert sum(len(marker.findall(path.read_text(encoding="utf-8"))) for path in folder().rglob("*.cypher")) >= 2


def test_no_run_of_four_lines_stands_in_two_statements_outside_of_blocks() -> None:
    assert SHORTEST == 4
    assert repeated(read(folder())) == {}


def test_the_gate_and_the_properties_of_an_artifact_stand_in_blocks_alone() -> None:
    """They are shorter than a run that counts, and the first ones to be copied; measurements use neither."""
    for name, text in read(folder()).items():
        own = [line.text for part in statement_lines(text) for line in part]
        assert [line for line in own if "gate.lock" in line or "MERGE (gate:Gate" in line] == [], name
        if not name.startswith("bench/"):
            assert [line for line in own if re.search(r"\b(content|recipe|metadata): \w+\.", line)] == [], name


def test_the_search_for_repeated_lines_finds_them() -> None:
    lines = ["MATCH (a)", "WITH  a", "// why", "}", "SET a.x = 1", "RETURN a"]
    one, other = "\n".join(["// One.", *lines]), "\n".join(["// Other.", "MATCH (b)", *(f"  {line}" for line in lines)])
    assert repeated({"one": one, "other": other}) == {"one": {2, 3, 6, 7}, "other": {3, 4, 7, 8}}
    assert repeated({"one": one, "other": other.replace("RETURN a", "RETURN b")}) == {}
    assert repeated({"one": one + one}) == {}


def test_the_search_for_repeated_lines_passes_over_blocks() -> None:
    inside = "// begin block: b\nMATCH (a)\nWITH a\nSET a.x = 1\nRETURN a\n// end block: b\n"
    assert repeated({"one": inside, "other": inside}) == {}
    parted = "MATCH (b)\nWITH b\n" + inside + "SET b.x = 1\nRETURN b\n"
    assert repeated({"one": parted, "other": parted}) == {}
