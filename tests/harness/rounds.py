"""How often a race is run."""

from __future__ import annotations

import os

import pytest

SHORT = int(os.environ.get("MEMOREPAIR_RACE_ROUNDS", "12"))
"""Rounds of each race in the normal suite; `make torture` runs more."""
LONG = 1000
"""The same under `make torture`."""


@pytest.fixture(params=[SHORT, pytest.param(LONG, marks=[pytest.mark.torture, pytest.mark.timeout(7200)])])
def rounds(request: pytest.FixtureRequest) -> int:
    """Give how many rounds to race."""
    return int(request.param)
