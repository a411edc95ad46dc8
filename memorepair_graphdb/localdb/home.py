"""Holds the directory of one named server: what lies where in it, and what is remembered between two processes.

Whether a server runs is never read from it: `process` asks the machine.

servers/NAME.lock       held while NAME is started, stopped or purged
servers/NAME/           0700
    conf/neo4j.conf     written at every start
    data/ logs/         the server's own
    password            0600; made once, before the first start
    server.json         the last server started here: pid, ports, memory
"""

from __future__ import annotations

import json
import os
import re
import secrets
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from ..errors import BadInput, LocalServerError
from .places import Places
from .settings import MemorySettings, Ports

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


@dataclass(frozen=True, slots=True)
class Record:
    """The last server that was started in a home; whether it still runs is asked of the machine."""

    pid: int
    ports: Ports
    memory: MemorySettings


@dataclass(frozen=True, slots=True)
class Home:
    """The home of one server; need not exist yet."""

    name: str
    root: Path

    @classmethod
    def of(cls, name: str, places: Places) -> Home:
        """Return the home of the server of that name.

        Raises:
            BadInput: the name could not be a directory's.
        """
        if not NAME.fullmatch(name):
            raise BadInput(f"{name!r} is no name for a server: small letters, digits, - and _, at most 63")
        return cls(name, places.data / "servers" / name)

    @property
    def conf(self) -> Path:
        """The configuration directory."""
        return self.root / "conf"

    @property
    def plugins(self) -> Path:
        """Jars that the user adds to the class path."""
        return self.root / "plugins"

    @property
    def logs(self) -> Path:
        """The server's own logs, and what it printed."""
        return self.root / "logs"

    @property
    def console(self) -> Path:
        """What the process printed since its last start."""
        return self.logs / "console.log"

    @property
    def lock(self) -> Path:
        """Beside the home, so that it survives a purge."""
        return self.root.with_name(f"{self.name}.lock")

    @property
    def has_data(self) -> bool:
        """Whether a server has ever started here."""
        return (self.root / "data" / "databases" / "system").exists()

    def create(self) -> None:
        """Make the directories, for this user only."""
        self.root.parent.mkdir(parents=True, exist_ok=True)
        self.root.mkdir(mode=0o700, exist_ok=True)
        self.root.chmod(0o700)
        for directory in (self.conf, self.plugins, self.logs):
            directory.mkdir(exist_ok=True)

    @property
    def password_file(self) -> Path:
        """Readable by the user alone."""
        return self.root / "password"

    def password(self) -> str:
        """Read the password.

        Raises:
            LocalServerError: the file is gone although the home has data.
        """
        try:
            return self.password_file.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            raise LocalServerError(
                f"the password file {self.password_file} is gone: put the password back into it, or begin anew with "
                f"`memorepair db purge --name {self.name}`"
            ) from None

    def make_password(self) -> str:
        """Return the password; make one and keep it where there is none."""
        if not self.password_file.exists():
            self.write_privately(self.password_file, secrets.token_hex(24) + "\n")
        return self.password()

    def record(self) -> Record | None:
        """Read what is remembered of the last server; None when nothing readable is."""
        try:
            content = json.loads((self.root / "server.json").read_text(encoding="utf-8"))
            return Record(int(content["pid"]), Ports(**content["ports"]), MemorySettings(**content["memory"]))
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def remember(self, record: Record) -> None:
        """Keep the record for other processes."""
        self.write_privately(self.root / "server.json", json.dumps(asdict(record)) + "\n")

    def write_privately(self, path: Path, text: str) -> None:
        """Write a file of mode 0600 so that a reader sees all of it or the former one."""
        handle, scratch = tempfile.mkstemp(dir=self.root, prefix=f".{path.name}.")  # 0600 from the beginning
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(scratch).replace(path)
        except BaseException:
            Path(scratch).unlink(missing_ok=True)
            raise
