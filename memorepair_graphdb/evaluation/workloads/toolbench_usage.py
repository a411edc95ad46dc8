"""Reads who calls what in ToolBench: the distinct calls of all tasks, and the names of tools and users.

One call made by several tasks is one call; that sharing is what lets a cascade cross tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...model.content import canonical_json
from .toolbench_calls import arguments_of
from .toolbench_files import Api, ToolbenchTask, read_tasks
from .toolbench_recordings import Recordings

HASH_LENGTH = 12
USER_REQUESTS = 5


@dataclass(slots=True)
class ToolbenchCall:
    """One API with one set of arguments, and the tasks that make it."""

    api: Api
    tool: str
    arguments: dict[str, Any]
    recorded: tuple[Any] | None
    tasks: list[ToolbenchTask] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The contract's name, tool/API."""
        return f"{self.tool}/{self.api.name}"

    @property
    def key(self) -> str:
        """What follows `resp/` and `cache/` in the keys of its response and result."""
        return f"{self.name}/{short_hash(self.arguments)}"


@dataclass(frozen=True, slots=True)
class Usage:
    """The tasks by query id, the distinct calls in order of first use, each task's calls, each task's user."""

    tasks: tuple[ToolbenchTask, ...]
    calls: tuple[ToolbenchCall, ...]
    of_task: Mapping[int, tuple[ToolbenchCall, ...]]
    user_of: Mapping[int, str]


def short_hash(value: Any) -> str:
    """Return enough of the SHA-256 of a JSON value to tell the calls of one API apart."""
    return sha256(canonical_json(value).encode()).hexdigest()[:HASH_LENGTH]


def category_of(task: ToolbenchTask) -> str:
    """Return the task's category: that of the first API it calls."""
    return task.calls[0].category


def read_usage(directory: Path) -> Usage:
    """Read the tasks and decide each call's arguments: its own trajectory's where recorded, else drawn."""
    tasks = tuple(read_tasks(directory))
    tools = _tool_names(tasks)
    recordings = Recordings(directory, (api for task in tasks for api in task.calls))
    calls: dict[tuple[str, str], ToolbenchCall] = {}
    of_task: dict[int, tuple[ToolbenchCall, ...]] = {}
    for task in tasks:
        made = []
        for api in task.calls:
            arguments = recordings.arguments(task.query_id, api)
            if arguments is None:
                arguments = arguments_of(task.query, api, str(task.query_id))
            tool = tools[api.category, api.tool]
            call = ToolbenchCall(api, tool, arguments, recordings.response(api, arguments))
            call = calls.setdefault((call.name, canonical_json(arguments)), call)
            call.tasks.append(task)
            made.append(call)
        of_task[task.query_id] = tuple(made)
    return Usage(tasks, tuple(calls.values()), of_task, _users(tasks))


def _tool_names(tasks: Iterable[ToolbenchTask]) -> dict[tuple[str, str], str]:
    """Return (category, tool) → its name: with the category where tools of several categories are called the same."""
    pairs = {(api.category, api.tool) for task in tasks for api in task.api_list}
    bearers = Counter(tool for _, tool in pairs)
    return {(category, tool): tool if bearers[tool] == 1 else f"{tool} ({category})" for category, tool in pairs}


def _users(tasks: Iterable[ToolbenchTask]) -> dict[int, str]:
    """Return query id → a user we make up, as ToolBench names none: five consecutive requests of one category.

    Upstream wrote requests in runs over the same tools, so five consecutive ones share tools, calls and results.
    """
    by_category: dict[str, list[int]] = {}
    for task in tasks:
        by_category.setdefault(category_of(task), []).append(task.query_id)
    return {
        query_id: f"{category}-{position // USER_REQUESTS + 1}"
        for category, query_ids in by_category.items()
        for position, query_id in enumerate(query_ids)
    }
