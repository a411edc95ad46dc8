"""The seeded space and the wheel, each made once; statements that write are run in transactions that are rolled back.

No test leaves a trace in it.
"""

from __future__ import annotations

import subprocess
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb.store import schema
from memorepair_graphdb.store.transactions import Transactions
from tests.contract.seed import Seed, sow
from tests.harness.places import CHECKOUT

if TYPE_CHECKING:
    from neo4j import Driver


@pytest.fixture(scope="session")
def seed(driver: Driver) -> Seed:
    """Give a space with something of everything; embeddings have the length that the database takes, else 4."""
    dimensions = Transactions(driver).read(schema.embedding_dimensions) or 4
    return sow(driver, f"seed_{uuid.uuid4().hex[:12]}", dimensions)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a wheel of the checkout."""
    place = tmp_path_factory.mktemp("wheel")
    command = [
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(place),
        str(CHECKOUT),
    ]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = place.glob("*.whl")
    return made
