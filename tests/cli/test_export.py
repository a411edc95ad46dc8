"""`keys`, `--where`, `--prefix` and `export`, as a user runs them."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.conftest import LINES, CommandLine
from tests.harness.pages import documented

DOCUMENTED = documented()

KEYS: list[str] = ["doc/weather", "msg/1", "msg/2", "sum/1", "note/weather", "skill/n"]
"""what `loaded` holds"""

USERS = [
    {"key": f"user/{user}/{n}", "kind": "record", "content": f"text {n} of {user}", "metadata": {"user": user}}
    for user in (17, 170)
    for n in range(2)
]


def _loaded(line: CommandLine, lines: list[dict[str, Any]]) -> CommandLine:
    line.write("users.jsonl", "\n".join(map(json.dumps, lines)))
    assert line.run("load", "users.jsonl").code == 0
    return line


def test_keys_are_listed_for_people_and_for_programs(loaded: CommandLine) -> None:
    _loaded(loaded, USERS)
    said = loaded.run("keys", "--json").json
    assert said.keys() == DOCUMENTED["keys"]
    assert said["keys"][0].keys() == DOCUMENTED["keys → keys"]
    assert [key["key"] for key in said["keys"]] == sorted([*KEYS, *(str(user["key"]) for user in USERS)])
    assert "user/17/0" in loaded.run("keys", "--prefix", "user/").out
    part = loaded.run("keys", "--where", "metadata.user=17", "--kind", "record", "--limit", "1", "--json").json
    assert ([key["key"] for key in part["keys"]], part["after"]) == (["user/17/0"], "user/17/0")
    rest = loaded.run("keys", "--where", "metadata.user=17", "--after", "user/17/0", "--json").json
    assert ([key["key"] for key in rest["keys"]], rest["after"]) == (["user/17/1"], None)
    assert loaded.run("keys", "--prefix", "nobody/").out.strip() == "No key matches."
    assert loaded.run("keys", "--where", "user=17", "--json").error["kind"] == "BadInput"


def test_what_is_in_common_is_forgotten_by_every_command_that_takes_an_event(line: CommandLine) -> None:
    _loaded(line, USERS)
    plan = line.run("preview", "--where", "metadata.user=17", "--prefix", "user/", "--json").json
    assert plan["event"]["roots"] == ["user/17/0", "user/17/1"]
    assert line.run("frontier", "--prefix", "user/17/", "--json").code == 0
    asked = ("--where", "metadata.user=17", "--prefix", "user/", "--event-id", "e", "--json")
    report = line.run("repair", *asked, "--expect", plan["plan_id"])
    assert (report.code, report.json["affected"], report.json["done_already"]) == (0, 2, False)
    assert line.run("erase", "e", "--yes", "--json").code == 0
    again = line.run("repair", *asked)
    assert (again.code, again.json["event_id"], again.json["done_already"]) == (0, "e", True)
    assert "done already" in line.run("repair", *asked[:-1]).out
    assert [key["key"] for key in line.run("keys", "--json").json["keys"]] == ["user/170/0", "user/170/1"]


def test_a_selection_that_matches_nothing_or_is_none_is_refused_in_words(line: CommandLine) -> None:
    _loaded(line, USERS)
    nothing = line.run("repair", "--where", "metadata.user=9")
    assert nothing.code == 3
    assert "nothing in service or withdrawn" in nothing.err
    assert 'metadata.user = "9" or 9' in nothing.err
    for wrong in (
        ("--where", "metadata.user"),
        ("--prefix", ""),
        ("--where", "user=17"),
        ("--delete", "k", "--prefix", "u"),
    ):
        assert line.run("withdraw", *wrong).code == 2
    assert line.run("events", "--json").json == {"events": []}


def test_an_export_is_loaded_back_through_standard_output_and_through_a_file(loaded: CommandLine) -> None:
    said = loaded.run("export")
    assert (said.code, said.err.strip()) == (
        0,
        f"Exported {len(LINES)} lines of space {loaded.environment['MEMOREPAIR_SPACE']}.",
    )
    lines = [json.loads(text) for text in said.out.splitlines()]
    assert [exported["key"] for exported in lines] == sorted(KEYS)
    report = loaded.run("export", "--out", "x.jsonl", "--json").json
    assert report.keys() == DOCUMENTED["export"]
    assert report["lines"] == len(LINES)
    assert (loaded.directory / "x.jsonl").read_text(encoding="utf-8") == said.out
    assert loaded.run("load", "x.jsonl", "--json").json["skipped"] == len(LINES)
    other = loaded.environment["MEMOREPAIR_SPACE"] + "_other"
    assert loaded.run("--space", other, "load", "x.jsonl", "--json").json["created"] == len(LINES)
    assert loaded.run("--space", other, "export").out == said.out
    assert loaded.run("--space", other, "check").code == 0


def test_an_export_that_cannot_be_written_leaves_nothing_behind(loaded: CommandLine) -> None:
    before = sorted(path.name for path in loaded.directory.iterdir())
    for arguments in (("--out", "nowhere/x.jsonl"), ("--out", "."), ("--json",)):
        said = loaded.run("export", *arguments)
        assert (said.code, said.out) == (2, "")
    assert sorted(path.name for path in loaded.directory.iterdir()) == before


def test_an_empty_space_exports_nothing_and_says_so(line: CommandLine) -> None:
    said = line.run("export")
    assert (said.code, said.out) == (0, "")
    assert "has nothing to export" in said.err


def test_whoever_has_read_enough_ends_an_export_without_a_trace(line: CommandLine) -> None:
    _loaded(line, [{"key": f"k/{n}", "kind": "record", "content": "x" * 50_000} for n in range(40)])
    process = line.begin("export")
    assert process.stdout is not None
    assert process.stdout.readline().startswith('{"key":"k/0"')
    process.stdout.close()
    process.stdout = None
    assert (process.communicate(timeout=120)[1], process.returncode) == ("", 1)


def test_the_text_of_an_export_is_utf_8_whatever_the_terminal_says(line: CommandLine) -> None:
    _loaded(line, [{"key": "k", "kind": "record", "content": "Zürich 漢字"}])
    line.environment |= {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    with (line.directory / "out").open("wb") as out:
        assert line.begin("export", stdout=out).wait(timeout=120) == 0
    assert json.loads((line.directory / "out").read_text(encoding="utf-8"))["content"] == "Zürich 漢字"
