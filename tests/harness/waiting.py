"""Waiting for what another thread, process or server brings about."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def soon(asked: Callable[[], T], seconds: float = 120) -> T:
    """What it says as soon as that is true; fails where it never is."""
    until = time.monotonic() + seconds
    while not (said := asked()):
        assert time.monotonic() < until, "it does not come about"
        time.sleep(0.02)
    return said
