"""A full disk and a directory that may not be written are said plainly."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memorepair_graphdb.errors import LocalServerError
from memorepair_graphdb.localdb.disk import require_space, writing


def test_too_little_space_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    directory = tmp_path / "not" / "there" / "yet"
    require_space(directory, 1, "a byte")
    with pytest.raises(
        LocalServerError, match=r"is too full: a library needs .* MiB, .* MiB are free; free some space"
    ):
        require_space(directory, shutil.disk_usage(tmp_path).free + 2**40, "a library")
    assert not (tmp_path / "not").exists()


def test_a_disk_that_fills_while_we_write_is_said_with_the_way_out() -> None:
    with (
        pytest.raises(LocalServerError, match=r"the disk of /dev is full; .*MEMOREPAIR_HOME"),
        writing(Path("/dev")),
        Path("/dev/full").open("wb", buffering=0) as full,
    ):
        full.write(b"one byte too many")


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LocalServerError, match=r"file/below cannot be used \(Not a directory\)"), writing(tmp_path):
        (tmp_path / "file" / "below").mkdir()
