"""The wheel carries the statements: built, unpacked elsewhere, and every file loaded from there.

Nothing of the checkout is on the path of what is tested; needs no server.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from memorepair_graphdb.store.queries import library

LOAD_ALL = """
import json, sys
from memorepair_graphdb.store import queries
import memorepair_graphdb, memorepair_graphdb.cli.main
found = {"folder": str(queries.folder()), "names": list(queries.library())}
print(json.dumps({"package": memorepair_graphdb.__file__, **found}))
"""


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory that holds the wheel's content and nothing else."""
    target = tmp_path_factory.mktemp("installed")
    command = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def test_all_statements_load_from_the_installed_package(installed: Path, tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(installed)!r})\n{LOAD_ALL}"
    done = subprocess.run([sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["package"].startswith(str(installed))
    assert found["folder"] == str(installed / "memorepair_graphdb" / "cypher")
    assert found["names"] == list(library())


def test_the_wheel_has_what_belongs_in_it_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"memorepair_graphdb", *(top for top in tops if top.endswith(".dist-info"))}
    assert "memorepair_graphdb/localdb/neo4j.lock.json" in names
    assert {f"memorepair_graphdb/operators/builtin/llm/prompts/{name}.md" for name in ("summary", "judge")} <= set(
        names
    )
    assert [name for name in names if "__pycache__" in name or "/tests/" in name] == []


def test_the_command_is_an_entry_point(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        (entry,) = (name for name in files.namelist() if name.endswith("entry_points.txt"))
        assert "memorepair = memorepair_graphdb.cli.main:" in files.read(entry).decode()
