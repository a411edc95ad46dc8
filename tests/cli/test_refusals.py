"""What commands say to wrong input, to what is not there, and without a server; and the code they end with."""

from __future__ import annotations

import pytest

from tests.cli.conftest import CONTRACT, CommandLine


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["repair"], "name one kind of event"),
        (["repair", "--delete", "a", "--retire", "b"], "name one kind of event"),
        (["preview", "--correct", "a"], "is not KEY=FILE"),
        (["preview", "--correct", "a=missing.txt"], "cannot read missing.txt"),
        (["preview", "--migrate", "a=broken.json"], "is no JSON"),
        (["preview", "--migrate", "a=list.json"], "a"),
        (["preview", "--migrate", "a=good.json", "--retire", "a"], "both migrated and retired"),
        (["preview", "--correct", "a=bytes.txt"], "is no UTF-8 text"),
        (["preview", "--event", "list.json"], "one JSON object"),
        (["preview", "--delete", "msg/1", "--lambda", "much"], "much"),
        (["preview", "--delete", ""], "is empty"),
        (["repair", "--delete", "msg/1", "--lambda", "-1"], "-1"),
        (["load"], "name a file"),
        (["load", "missing.jsonl"], "missing.jsonl"),
        (["load", "broken.jsonl"], "line 2"),
        (["load", "--workload", "nothing", "."], "no workload 'nothing'"),
        (["load", "--workload", "toolbench", "."], "."),
        (["search", "x", "-k", "0"], "from 1 to"),
        (["search", "x", "--by", "smell"], "by is text or vector"),
        (["search", "x", "--by", "vector"], "needs an embedding"),
        (["resume", "--give-up"], "goes with --watch"),
        (["erase", "e1"], "with --json say so with --yes"),
        (["--app", "missing_module:registry", "operators"], "cannot import 'missing_module'"),
        (["--app", "json:missing", "operators"], "json has no missing"),
        (["--app", "json:JSONDecoder", "operators"], "neither a Registry"),
        (["--space", "two\nlines", "events"], "a control character or a line break"),
        (["repair", "--no-such-option"], "No such option"),
        (["no-such-command"], "No such command"),
        (["show"], "Missing argument"),
    ],
)
def test_wrong_input_is_told_and_ends_with_2(loaded: CommandLine, arguments: list[str], said: str) -> None:
    loaded.write("broken.json", "{")
    loaded.write("list.json", [])
    loaded.write("good.json", CONTRACT)
    (loaded.directory / "bytes.txt").write_bytes(b"\xff\xfe")
    loaded.write("broken.jsonl", '{"key": "k1", "kind": "record", "content": "fine"}\n{"key": "k2"}')
    ended = loaded.run(*arguments, "--json")
    assert ended.code == 2
    assert said in ended.error["error"]
    assert ended.error["kind"] == "BadInput"
    if arguments != ["erase", "e1"]:
        told = loaded.run(*arguments)
        assert (told.code, told.out) == (2, "")
        assert told.err.startswith("memorepair: ")
    assert loaded.run("show", "k1").code == 3


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["preview", "--delete", "missing"], "NotFound"),
        (["repair", "--delete", "missing"], "NotFound"),
        (["status", "missing"], "NotFound"),
        (["retry", "missing"], "NotFound"),
        (["resume", "missing"], "NotFound"),
        (["erase", "missing", "--yes"], "NotFound"),
        (["show", "missing"], "NotFound"),
        (["why", "missing"], "NotFound"),
    ],
)
def test_what_is_not_there_is_refused_with_3(loaded: CommandLine, arguments: list[str], kind: str) -> None:
    said = loaded.run(*arguments, "--json")
    assert (said.code, said.error["kind"]) == (3, kind)


def test_without_a_server_commands_end_with_4_and_the_way_out(line: CommandLine) -> None:
    line.environment["NEO4J_URI"] = "bolt://127.0.0.1:9"
    said = line.run("events", "--json")
    assert (said.code, said.error["kind"]) == (4, "Unreachable")
    del line.environment["NEO4J_URI"]
    line.environment["MEMOREPAIR_HOME"] = str(line.directory)
    said = line.run("events")
    assert said.code == 4
    assert "memorepair db start" in said.err


def test_wrong_credentials_end_with_4(line: CommandLine) -> None:
    line.environment["NEO4J_PASSWORD"] = "wrong-password"
    said = line.run("events")
    assert said.code == 4
    assert "NEO4J_PASSWORD" in said.err
