"""Spreads the tests over the processes of a session (pytest-xdist).

The tests of a module stay together, since they share its fixtures; those of a module in `SPLIT` are spread by test
function. The groups that take longest begin first.
"""

from __future__ import annotations

from typing import Any

import pytest

TOGETHER = {"tests/store/fresh/": "fresh"}
"""Directory → the group of all its tests: they share a server of their own, and empty it."""
SPLIT = ("tests/repair/test_crash.py", "tests/repair/test_unknown_commits.py", "tests/scenarios/test_pages.py")
"""Modules whose long tests share nothing."""
SERVERS = frozenset({"server", "fresh_server", "program"})
"""Fixtures that start a database."""
SLOW = (
    "tests/localdb/",
    "tests/evaluation/",
    "tests/solver/",
    "tests/operators/builtin/neural/",
    "tests/operators/builtin/test_llm.py",
    "tests/operators/builtin/chain/",
    "tests/operators/builtin/tool_call/test_mcp",
    "tests/operators/execution/",
    "tests/operators/embedding/",
    "tests/repair/planning/test_plan.py",
    "tests/repair/planning/test_selection.py",
    "tests/contract/test_typing.py",
    "tests/contract/test_wheel.py",
)
"""Where tests take seconds without a database: servers, models, processes, sweeps."""
LONGEST = (
    "tests/localdb/test_server.py",
    "tests/store/fresh/",
    "tests/cli/test_demo.py",
    "tests/evaluation/quality/",
    "tests/scenarios/",
    "tests/repair/test_crash.py",
    "tests/repair/test_unknown_commits.py",
    "tests/races/",
    "tests/evaluation/",
    "tests/repair/",
    "tests/solver/",
    "tests/contract/test_typing.py",
)
"""Where the modules are that begin first, the longest before the others; what is short fills the end."""


def group_of(nodeid: str) -> str:
    """The name of the group that a test runs in."""
    path, _, test = nodeid.partition("::")
    for start, group in TOGETHER.items():
        if path.startswith(start):
            return group
    return f"{path}::{test.partition('[')[0]}" if path in SPLIT else path


def _rank(item: pytest.Item) -> int:
    return next((rank for rank, start in enumerate(LONGEST) if item.nodeid.startswith(start)), len(LONGEST))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs a server, and put the long modules first where several processes share the work."""
    for item in items:
        if SERVERS & set(getattr(item, "fixturenames", ())):
            item.add_marker("server")
        if item.nodeid.startswith(SLOW):
            item.add_marker("slow")
    if hasattr(config, "workerinput"):
        items.sort(key=_rank)


class Spreading:
    """The hook of pytest-xdist, which is known only where that plugin is in use."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Hand out whole groups, each to the next process that is free."""
        from xdist.scheduler.loadscope import LoadScopeScheduling

        class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]  # the plugin has no types
            def _split_scope(self, nodeid: str) -> str:
                return group_of(nodeid)

        return GroupScheduling(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Register the hook."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Spreading())
