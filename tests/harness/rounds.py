"""How often a race is run."""

from __future__ import annotations

import os

import pytest

SHORT = 12
"""Rounds of each race in the normal suite. A module whose broken forms show less often names its own `ROUNDS`;
`python -m tests.races.mutants` measures how soon each is caught."""
LONG = 1000
"""The same under `make torture`."""
WISHED = os.environ.get("MEMOREPAIR_RACE_ROUNDS")
"""For a quick look while writing a race."""


@pytest.fixture(params=["short", pytest.param("long", marks=[pytest.mark.torture, pytest.mark.timeout(7200)])])
def rounds(request: pytest.FixtureRequest) -> int:
    """Give how many rounds to race."""
    if request.param == "long":
        return LONG
    return int(WISHED) if WISHED else int(getattr(request.module, "ROUNDS", SHORT))
