"""The program as its users run it: in a directory and a space of its own, against the session's server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memorepair_graphdb import MemoRepair
from memorepair_graphdb.cli.main import main
from tests.harness.server import Server

BIN = Path(sys.executable).parent

CONTRACT = {"name": "weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}
LINES = [
    {"key": "doc/weather", "kind": "record", "content": CONTRACT, "tool": "weather"},
    {"key": "msg/1", "kind": "record", "content": "Ann Berg of 4 Elm Road asks whether it rains in Oslo."},
    {"key": "msg/2", "kind": "record", "content": "A reader asks whether it rains in Rome."},
    {
        "key": "sum/1",
        "kind": "summary",
        "content": "Ann Berg of 4 Elm Road asks whether it rains in Oslo.",
        "influenced_by": ["msg/1", "msg/2"],
        "operator": "summary@1",
    },
    {
        "key": "note/weather",
        "kind": "skill",
        "arch": "prompt",
        "content": "old",
        "influenced_by": ["doc/weather", "sum/1"],
        "operator": "note@1",
        "recipe": {"tool": "weather"},
    },
    {
        "key": "skill/n",
        "kind": "skill",
        "arch": "neural",
        "content": "old",
        "influenced_by": [{"key": "msg/1", "required": False}, "msg/2"],
        "operator": "tune@1",
    },
]


def surroundings(server: Server, space: str) -> dict[str, str]:
    """The environment of a user who talks to this server, in this space."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "MEMOREPAIR_"))}
    kept.pop("COLUMNS", None)
    return {
        **kept,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "NEO4J_URI": server.uri,
        "NEO4J_USERNAME": server.username,
        "NEO4J_PASSWORD": server.password,
        "MEMOREPAIR_SPACE": space,
    }


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """What it printed: one JSON object on one line."""
        (line,) = self.out.splitlines()
        said = json.loads(line)
        assert isinstance(said, dict)
        return said

    @property
    def error(self) -> dict[str, Any]:
        """The error that it printed as JSON, with nothing on standard output."""
        assert self.out == ""
        said = json.loads(self.err.splitlines()[-1])
        assert isinstance(said, dict)
        return said


class CommandLine:
    """The command line; `run` in this process, which is quick, `begin` in one of its own."""

    def __init__(self, environment: dict[str, str], directory: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.environment = environment
        self.directory = directory
        self._capture = capture

    def run(self, *arguments: object, answer: str = "") -> Said:
        """Run a command to its end, here."""
        with pytest.MonkeyPatch.context() as patch:
            for name in os.environ.keys() - self.environment.keys():
                patch.delenv(name)
            for name, value in self.environment.items():
                patch.setenv(name, value)
            patch.chdir(self.directory)
            patch.syspath_prepend(self.directory)
            patch.setattr(sys, "argv", ["memorepair", *map(str, arguments)])
            if answer:
                with (self.directory / "answer").open("w+") as asked:
                    asked.write(answer)
                    asked.seek(0)
                    patch.setattr(sys, "stdin", asked)
                    return self._ended()
            return self._ended()

    def begin(self, *arguments: object, **options: Any) -> subprocess.Popen[str]:
        """Start a command in a process of its own."""
        return subprocess.Popen(
            [BIN / "memorepair", *map(str, arguments)],
            env=self.environment,
            cwd=self.directory,
            text=True,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **options},
        )

    def write(self, name: str, content: Any) -> Path:
        """Put a file into the working directory; anything but a text as JSON."""
        path = self.directory / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def _ended(self) -> Said:
        self._capture.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        said = self._capture.readouterr()
        code = end.value.code
        return Said(code if isinstance(code, int) else 0, said.out, said.err)


@pytest.fixture
def line(server: Server, space: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Give the command line, in a directory and a space of its own."""
    return CommandLine(surroundings(server, space), tmp_path, capsys)


@pytest.fixture
def memory(server: Server, space: str) -> Any:
    """Give the same memory in Python, set up."""
    with MemoRepair.connect(server.uri, auth=(server.username, server.password), space=space) as connected:
        connected.setup()
        yield connected


@pytest.fixture
def loaded(line: CommandLine) -> CommandLine:
    """Give a command line whose space holds the small memory above."""
    line.write("memory.jsonl", "\n".join(map(json.dumps, LINES)))
    assert line.run("setup").code == 0
    assert line.run("load", "memory.jsonl").code == 0
    return line
