"""Lets SIGINT count in a session that was started with it ignored: by nohup, as a background job, by some runners.

A process that is started inherits an ignored signal, so the programs that the tests interrupt would not notice either.
"""

from __future__ import annotations

import signal

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Install Python's own handler where the signal is ignored; each process of the session does."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
