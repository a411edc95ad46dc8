"""A tenant's memory in the terminal: its space by any name, metadata, what changes nothing, what is forgiven."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import CommandLine
from tests.harness.pages import documented

ANN = "Ann Kowalczyk asks for a refund of order 881."
LINE = {"key": "ann/1", "kind": "record", "content": ANN, "metadata": {"title": ANN, "lang": "en"}}


@pytest.fixture
def tenant(line: CommandLine, space: str) -> CommandLine:
    """Give the command line of a tenant whose name no identifier could be."""
    line.environment["MEMOREPAIR_SPACE"] = f"{space}/Łukasz & co: team a@example.com 日本"
    line.write("ann.jsonl", json.dumps(LINE))
    return line


def test_loading_says_that_the_space_was_not_there_yet_and_once(tenant: CommandLine) -> None:
    name = tenant.environment["MEMOREPAIR_SPACE"]
    assert f"Space {name} was not there yet: it is set up now." in " ".join(tenant.run("load", "ann.jsonl").out.split())
    assert "was not there yet" not in tenant.run("load", "ann.jsonl").out
    said = tenant.run("--space", f"{name}!", "load", "ann.jsonl", "--json").json
    assert (said["created"], said["set_up"]) == (1, True)
    assert tenant.run("--space", f"{name}!", "load", "ann.jsonl", "--json").json["set_up"] is False
    assert [hit["artifact"]["space"] for hit in tenant.run("search", "refund", "--json").json["hits"]] == [name]
    assert tenant.run("check").code == 0


def test_a_name_that_is_none_is_a_usage_error(tenant: CommandLine) -> None:
    for name in (" a", "a\tb", "x" * 257):
        said = tenant.run("--space", name, "search", "x", "--json")
        assert (said.code, said.error["kind"]) == (2, "BadInput")


def test_an_empty_variable_counts_as_unset(tenant: CommandLine) -> None:
    tenant.environment["MEMOREPAIR_SPACE"] = ""
    assert tenant.run("setup", "--json").json["space"] == "default"


def test_a_correction_takes_metadata_and_says_what_it_dropped(tenant: CommandLine) -> None:
    tenant.run("load", "ann.jsonl")
    tenant.write("new.txt", "Ann moved away.\n")
    tenant.write("same.txt", "Ann moved away.\n")
    tenant.write("about.json", {"title": "moved"})
    said = tenant.run("repair", "--correct", "ann/1=new.txt")
    assert "lost its title, which said what was corrected" in " ".join(said.out.split())
    assert tenant.run("show", "ann/1", "--json").json["artifact"]["metadata"] == {"lang": "en"}
    same = tenant.run("repair", "--correct", "ann/1=same.txt", "--event-id", "same")
    assert (same.code, "It affects nothing." in same.out, "it was left as it is" in same.out) == (0, True, True)
    assert "it was left as it is" in tenant.run("status", "same").out
    assert "left as they are: ann/1" in tenant.run("preview", "--correct", "ann/1=same.txt").out
    tenant.run("repair", "--correct", "ann/1=same.txt", "--metadata", "ann/1=about.json")
    artifact = tenant.run("show", "ann/1", "--json").json["artifact"]
    assert (artifact["metadata"], artifact["version"]) == ({"title": "moved"}, 2)
    wrong = tenant.run("repair", "--delete", "ann/1", "--metadata", "ann/1=about.json")
    assert (wrong.code, "--metadata goes with --correct" in wrong.err) == (2, True)


def test_metadata_is_edited_alone(tenant: CommandLine) -> None:
    tenant.run("load", "ann.jsonl")
    tenant.write("about.json", {"title": "waits"})
    said = tenant.run("set-metadata", "ann/1", "about.json", "--json")
    assert said.json.keys() == documented()["set-metadata"]
    assert (said.json["artifact"]["metadata"], said.json["artifact"]["version"]) == ({"title": "waits"}, 1)
    assert 'ann/1 has the metadata {"title": "waits"}.' in tenant.run("set-metadata", "ann/1", "about.json").out
    assert "ann/1 has no metadata." in tenant.run("set-metadata", "ann/1", "--clear").out
    for arguments in (("ann/1",), ("ann/1", "about.json", "--clear")):
        assert tenant.run("set-metadata", *arguments).code == 2
    assert tenant.run("set-metadata", "nobody", "about.json").code == 3


def test_what_was_erased_is_refused_until_it_is_forgiven(tenant: CommandLine) -> None:
    tenant.run("load", "ann.jsonl")
    tenant.run("repair", "--delete", "ann/1", "--event-id", "e1")
    tenant.run("erase", "e1", "--yes")
    tenant.write("other.jsonl", json.dumps({**LINE, "key": "ann/2"}))
    refused = tenant.run("load", "other.jsonl")
    assert (refused.code, "key ann/1), which does not come back, unless that is forgiven" in refused.err) == (3, True)
    said = tenant.run("forgive", "ann/1", "--reason", "Ann is back", "--actor", "Bob", "--json")
    assert said.json.keys() == documented()["forgive"]
    assert [version["key"] for version in said.json["forgiven"]] == ["ann/1"]
    why = tenant.run("why", "ann/1", "--json").json
    assert why.keys() == documented()["why"]
    assert "forgiven by Bob: Ann is back" in why["sentence"]
    assert tenant.run("load", "other.jsonl", "--json").json["created"] == 1
    assert "Nothing of ann/1 is refused any more." in tenant.run("forgive", "ann/1").out
    assert tenant.run("forgive", "nobody").code == 3
