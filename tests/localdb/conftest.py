"""Homes and mirrors for the tests of the local server: real processes, real files, real sockets."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memorepair_graphdb.localdb.lock import Jar, Lock
from memorepair_graphdb.localdb.places import Places
from memorepair_graphdb.localdb.settings import BRIEF_FLAGS


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a MEMOREPAIR_HOME of this module's own, which shares the user's jars."""
    directory = tmp_path_factory.mktemp("memorepair")
    jars = Places.of_user().cache
    jars.mkdir(parents=True, exist_ok=True)
    (directory / "cache").symlink_to(jars)
    return directory


@dataclass(frozen=True)
class Program:
    """The program `memorepair` as its users run it, in a process of its own, under a home of its own."""

    root: Path
    surroundings: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("NEO4J_", "MEMOREPAIR_"))}
        brief = {"JAVA_TOOL_OPTIONS": " ".join(BRIEF_FLAGS)}
        return {**kept, **brief, "MEMOREPAIR_HOME": str(self.root), **self.surroundings}

    def begin(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [Path(sys.executable).with_name("memorepair"), *arguments],
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, answer: str = "") -> subprocess.CompletedProcess[str]:
        program = self.begin(*arguments)
        said, complained = program.communicate(answer)
        return subprocess.CompletedProcess(arguments, program.returncode, said, complained)


@pytest.fixture(scope="module")
def program(root: Path) -> Program:
    return Program(root)


@dataclass
class Mirror:
    """A repository of jars over HTTP that counts what is asked of it; `served` maps file names to bytes."""

    served: dict[str, bytes]
    address: str = ""
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def lock() -> Lock:
    """Give a small lock of jars that exist nowhere else."""
    jars = []
    for number in range(6):
        content = payload(number)
        sha256 = hashlib.sha256(content).hexdigest()
        classifier = "linux" if number == 0 else ""
        jars.append(Jar("org.example.test", f"part-{number}", "1.0", classifier, "jar", sha256, len(content)))
    return Lock(neo4j="0.0.0", browser="0.0.0", jars=tuple(jars))


def payload(number: int) -> bytes:
    return f"jar {number}\n".encode() * 20_000


@pytest.fixture
def mirror(lock: Lock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """Serve the jars of the small lock, and name the mirror the way a user names one, in jgo's settings."""
    kept = Mirror({jar.filename: payload(number) for number, jar in enumerate(lock.jars)})
    turn = threading.Lock()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.rsplit("/", 1)[-1]
            with turn:
                kept.asked.append(name)
            content = kept.served.get(name)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    kept.address = f"http://127.0.0.1:{server.server_port}"
    settings = tmp_path / "jgo.conf"
    settings.write_text(f"[repositories]\nmirror = {kept.address}\n", encoding="utf-8")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(settings))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield kept
    server.shutdown()
    server.server_close()
