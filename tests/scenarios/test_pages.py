"""Everything in the documents is run, in order, as a reader would; their tables are held to the program.

Only the names of the spaces are changed, so that the test can be repeated.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from neo4j import Driver

from memorepair_graphdb import MemoRepair
from memorepair_graphdb.cli.main import app
from memorepair_graphdb.model.event import RepairEvent
from memorepair_graphdb.model.wire import read_line
from tests.cli.conftest import surroundings
from tests.harness.pages import PAGES, Block, blocks, code, links, rows
from tests.harness.places import CHECKOUT
from tests.harness.server import Server

LANGUAGES = {"sh", "text", "python", "cypher", "json"}


class Reader:
    """Somebody who types in what a page says."""

    def __init__(self, environment: dict[str, str], directory: Path, driver: Driver) -> None:
        self.environment = environment
        self.directory = directory
        self.driver = driver
        self.seen = ""
        """what the last commands printed"""

    def follow(self, block: Block) -> None:
        """Do what a block says."""
        getattr(self, f"_{block.language}")(block.body)

    def _sh(self, body: str) -> None:
        if body.startswith("make "):
            for command in body.splitlines():
                self._make(command)
            return
        kept = self.directory / "environment"
        script = f"set -eu\n{body}\nenv -0 > {kept}\n"
        ended = subprocess.run(
            ["bash", "-c", script], env=self.environment, cwd=self.directory, capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stderr
        self.seen = ended.stdout
        pairs = kept.read_text().split("\0")[:-1]
        self.environment = dict(pair.split("=", 1) for pair in pairs)

    def _make(self, command: str) -> None:
        """A target is followed to the program that it ends in; `test_demo` and this very run are those programs."""
        # The suite itself may run under make, which would have its child speak of directories and levels.
        outside = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        steps = subprocess.run(
            [*command.split(), "--dry-run"], cwd=CHECKOUT, env=outside, capture_output=True, text=True, check=True
        )
        last = steps.stdout.splitlines()[-1]
        assert last in (".venv/bin/memorepair demo", ".venv/bin/pytest -n auto")

    def _text(self, body: str) -> None:
        seen = [" ".join(line.split()) for line in self.seen.splitlines()]
        for line in body.splitlines():
            assert line in seen, f"{line!r} is not in {seen}"

    def _python(self, body: str) -> None:
        named = re.match(r"# (\w+\.py)\n", body)
        path = self.directory / (named[1] if named else "example.py")
        path.write_text(body, encoding="utf-8")
        subprocess.run([sys.executable, path], env=self.environment, cwd=self.directory, check=True)

    def _cypher(self, body: str) -> None:
        """What cypher-shell does: `:param` sets, `:source` runs a file, anything else is a statement."""
        params: dict[str, object] = {}
        with self.driver.session() as session:
            for line in body.splitlines():
                command, _, rest = line.partition(" ")
                if command == ":param":
                    params |= session.run(f"RETURN {rest} AS given").single(strict=True)["given"]
                elif command == ":source":
                    text = (CHECKOUT / rest).read_text(encoding="utf-8")
                    row = session.run(text, params).single(strict=True)
                    assert row["status"] == "done", row["detail"]
                else:
                    assert list(session.run(line.rstrip(";"))) == []

    def _json(self, body: str) -> None:
        for number, line in enumerate(body.splitlines(), start=1):
            data = json.loads(line)
            if "type" in data:
                RepairEvent.from_json(data)
            else:
                read_line(data, number)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)])
def test_every_command_and_example_does_what_it_says(
    server: Server, space: str, driver: Driver, tmp_path: Path, page: str
) -> None:
    reader = Reader(surroundings(server, "default"), tmp_path, driver)
    (tmp_path / "cypher").symlink_to(CHECKOUT / "cypher")
    for block in blocks(page):
        assert block.language in LANGUAGES
        reader.follow(Block(block.language, re.sub(r"\breadme(?=\b|_)", space, block.body)))
    if page == "README.md":
        with MemoRepair(driver, space=space) as memory:
            seen = memory.get("summary/refunds")
            assert seen is not None
            assert seen.content == "The refund of an order from May has not arrived."


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    place = (CHECKOUT / page).parent
    assert [target for target in links(page) if not (place / target).exists()] == []


def test_the_tables_of_figures_are_those_of_the_results() -> None:
    program = [sys.executable, str(CHECKOUT / "scripts" / "write_docs.py"), "--check"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert {path.stem for path in (CHECKOUT / "docs" / "results").glob("*.json")} == {
        name for page in PAGES for name in re.findall(r"<!-- begin results: (\w+)", (CHECKOUT / page).read_text())
    }


def test_the_readme_is_short() -> None:
    assert len((CHECKOUT / "README.md").read_text().splitlines()) <= 170


def _commands() -> dict[str, set[str]]:
    """Command → its options, as the program has them."""
    from typer.core import TyperGroup
    from typer.main import get_command

    group = get_command(app)
    assert isinstance(group, TyperGroup)
    found = {}
    for name, command in group.commands.items():
        inner = getattr(command, "commands", {})
        for path, one in [(f"{name} {sub}", c) for sub, c in inner.items()] or [(name, command)]:
            found[path] = {option for parameter in one.params for option in parameter.opts}
    return found


def test_the_table_of_commands_names_all_commands_and_their_options() -> None:
    commands = _commands()
    told = set()
    for names, text in rows("| command | what it does"):
        first = code(names)[0]
        name = next(known for known in commands if f"{first} ".startswith(f"{known} "))
        named = [name, *(other for other in code(text) if other in commands)]
        told |= set(named)
        for option in re.findall(r"(?<=`)--?[a-z]+(?:-[a-z]+)*", text):
            assert all(option in commands[one] for one in named), (name, option)
    assert told == commands.keys()


@pytest.mark.parametrize("option", ["--space", "--app", "--verbose"])
def test_the_options_before_the_command_exist(option: str) -> None:
    from typer.main import get_command

    assert option in {opt for parameter in get_command(app).params for opt in parameter.opts}


def test_every_place_that_is_named_for_changes_exists() -> None:
    places = [place for _, cells in rows("| to change | open") for place in code(cells)]
    assert len(places) > 15
    assert [place for place in places if not (CHECKOUT / place).exists()] == []


@pytest.mark.parametrize("target", ["demo", "demo-stop", "test", "test-fast", "lint", "torture", "bench", "cypher"])
def test_every_make_target_is_there(target: str) -> None:
    steps = subprocess.run(["make", "--dry-run", target], cwd=CHECKOUT, capture_output=True, text=True)
    assert steps.returncode == 0, steps.stderr
