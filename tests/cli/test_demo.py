"""The demo, played twice on a local server of its own: what it shows is so, and it can be shown again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memorepair_graphdb.localdb import LocalServer
from memorepair_graphdb.localdb.places import Places
from memorepair_graphdb.localdb.settings import BRIEF_FLAGS
from tests.cli.conftest import BIN, CommandLine

NAME = "demo"


@pytest.fixture
def home(line: CommandLine, tmp_path: Path) -> Iterator[CommandLine]:
    """Give a command line without a server, whose local servers live in the test's directory and share the jars."""
    jars = Places.of_user().cache
    jars.mkdir(parents=True, exist_ok=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "cache").symlink_to(jars)
    for name in [name for name in line.environment if name.startswith(("NEO4J_", "MEMOREPAIR_"))]:
        del line.environment[name]
    line.environment["JAVA_TOOL_OPTIONS"] = " ".join(BRIEF_FLAGS)
    line.environment["MEMOREPAIR_HOME"] = str(tmp_path / "home")
    yield line
    LocalServer(NAME, Places.under(tmp_path / "home")).purge()


def played(home: CommandLine, *options: str) -> str:
    command: list[str | Path] = [BIN / "memorepair", "demo", *options]
    ended = subprocess.run(command, env=home.environment, cwd=home.directory, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    return ended.stdout


@pytest.mark.timeout(1800)
def test_it_shows_a_leak_three_events_and_every_outcome_and_can_be_played_again(home: CommandLine) -> None:
    first, told = json.loads(played(home, "--json")), played(home)

    assert first["artifacts"] >= 40
    assert {"summary/order-lookups", "answer/where-is-7741"} <= set(first["leak"]["search"])
    assert "Mara Lindqvist" in first["leak"]["answer"]
    assert first["barrier"]["search"] == []
    assert first["barrier"]["answer"] is None

    deletion, correction, migration = first["reports"]
    assert deletion["outcomes"]["summary/week-31"] == "published"
    assert deletion["outcomes"]["resp/orders/7741"] == "removed"
    assert deletion["outcomes"]["summary/year"] == "not_selected"
    assert deletion["outcomes"]["summary/customer-voices"] == "rejected"
    assert deletion["outcomes"]["skill/calm-a-customer"] == "predecessor_missing"
    assert deletion["outcomes"]["skill/triage"] == "not_executable"
    assert "residue" in deletion["reasons"]["summary/customer-voices"]
    assert "summary/customer-voices" in deletion["reasons"]["skill/calm-a-customer"]
    assert correction["outcomes"]["policy/returns"] == "replaced"
    assert correction["outcomes"]["answer/return-window"] == "published"
    assert migration["outcomes"]["skill/use-orders"] == "published"
    assert migration["outcomes"]["skill/use-fax"] == "removed"
    assert "order_number" in migration["reasons"]["cache/orders/7742"]
    assert all(reason for report in first["reports"] for reason in report["reasons"].values())
    assert first["check"] == {"violations": [], "warnings": []}

    assert "Reports of a cracked shade: 1." in told
    assert "You can return a lamp within 60 days." in told
    assert "Every invariant holds." in told
    assert first["browser_url"] in told
    assert "\x1b" not in told
    assert max(map(len, told.splitlines())) < 200
    for outcome in ("published", "removed", "not_selected", "rejected", "predecessor_missing"):
        assert f" {outcome} " in told


def test_it_leaves_other_spaces_alone(line: CommandLine, memory) -> None:
    memory.record("kept", key="kept")
    said = line.run("demo", "--json")
    assert said.json["check"] == {"violations": [], "warnings": []}
    assert said.json["browser_url"] is None
    assert memory.get("kept") is not None
