"""The command line of the local server, where no server has to run for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memorepair_graphdb.errors import BadInput, LocalServerError
from memorepair_graphdb.localdb import LocalServer, Places, running
from tests.localdb.conftest import Program


def test_with_neo4j_uri_nothing_is_started(tmp_path: Path) -> None:
    program = Program(tmp_path, {"NEO4J_URI": "bolt://db.example:7687"})
    said = program.run("db", "start", "--json")
    assert said.returncode == 0
    assert json.loads(said.stdout) == {"status": "external", "uri": "bolt://db.example:7687"}
    assert "nothing is started" in program.run("db", "start").stdout
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_does_not_exist_is_absent(tmp_path: Path) -> None:
    program = Program(tmp_path)
    assert json.loads(program.run("db", "status", "--json").stdout)["status"] == "absent"
    assert json.loads(program.run("db", "stop", "--json").stdout)["was_running"] is False
    assert json.loads(program.run("db", "logs", "--json").stdout)["lines"] == []
    assert program.run("db", "purge", "--yes").stdout == "There is no server default.\n"
    assert list(tmp_path.iterdir()) == []


def test_errors_are_json_on_standard_error_when_json_is_asked_for(tmp_path: Path) -> None:
    said = Program(tmp_path).run("db", "start", "--heap", "lots", "--json")
    assert (said.returncode, said.stdout) == (2, "")
    error = json.loads(said.stderr)
    assert "'lots' is no size of memory" in error["error"]
    assert error["kind"] == "BadInput"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "Upper", "-x", "a" * 64, "a b"])
def test_a_name_that_could_not_be_a_directory_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no name for a server"):
        LocalServer(name, Places.under(tmp_path))


def test_memorepair_home_holds_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOREPAIR_HOME", str(tmp_path))
    assert LocalServer("one").home.root == tmp_path / "data" / "servers" / "one"
    assert LocalServer("two").places.cache == tmp_path / "cache"
    assert running("one") is None


def test_a_home_without_its_password_file_says_how_to_go_on(tmp_path: Path) -> None:
    server = LocalServer("lost", Places.under(tmp_path))
    server.home.create()
    with pytest.raises(LocalServerError, match=r"is gone: put the password back into it, or begin anew"):
        server.home.password()


def test_a_home_that_cannot_be_made_is_said() -> None:
    said = Program(Path("/proc/nothing")).run("db", "start")
    assert said.returncode == 4
    assert said.stderr.startswith("memorepair: /proc/nothing")
    assert "MEMOREPAIR_HOME" in said.stderr


def test_without_the_extra_the_way_out_is_named(tmp_path: Path) -> None:
    script = "import sys; sys.modules['psutil'] = None; from memorepair_graphdb.cli.main import main; main()"
    said = subprocess.run(
        [sys.executable, "-c", script, "db", "start"],
        env=Program(tmp_path).environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 4
    assert "pip install 'memorepair-graphdb[local]'" in said.stderr
    assert "NEO4J_URI" in said.stderr
    assert "Traceback" not in said.stderr
