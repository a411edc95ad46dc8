"""Reads ToolBench's files: the tasks, and the API documents they quote.

What is wrong with a file is said with its path and the place in it; nothing is mended silently.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field

from ...errors import BadInput
from ...model.frozen import Frozen

QUERIES = "solvable_queries"
TRAJECTORIES = ("data_example/answer", "stabletoolbench_trajectories/answer")
PARTS = (QUERIES, *TRAJECTORIES)
"""What a ToolBench directory holds of use here: StableToolBench's tasks, and the trajectories with whole responses."""


class ApiParameter(Frozen):
    """One documented parameter of an API."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    type: str
    description: str = ""
    default: Any = ""


class Api(Frozen):
    """One API's document, as ToolBench has it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    category: str = Field(alias="category_name")
    tool: str = Field(alias="tool_name")
    name: str = Field(alias="api_name")
    description: str = Field(alias="api_description")
    method: str
    required: tuple[ApiParameter, ...] = Field(alias="required_parameters")
    optional: tuple[ApiParameter, ...] = Field(alias="optional_parameters")
    template: Any = Field(default=None, alias="template_response")


class ToolbenchTask(Frozen):
    """One user request, the APIs on offer, and those that a right answer calls."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    query_id: int
    query: str
    api_list: tuple[Api, ...]
    relevant: tuple[tuple[str, str], ...] = Field(alias="relevant APIs")

    @cached_property
    def calls(self) -> tuple[Api, ...]:
        """The relevant APIs, each once, in the order in which the task names them."""
        offered = {(api.tool, api.name): api for api in reversed(self.api_list)}
        return tuple(offered[name] for name in dict.fromkeys(self.relevant))


def check_directory(directory: Path) -> None:
    """Raise `BadInput` unless the directory holds ToolBench; says what is missing and what was expected."""
    missing = [part for part in PARTS if not files_below(directory / part)]
    if missing:
        raise BadInput(
            f"{directory} is not a ToolBench directory: no .json or .json.gz file below {', '.join(missing)}; "
            f"expected below it: {', '.join(PARTS)} (StableToolBench's tasks, and trajectories of both repositories)"
        )


def files_below(directory: Path) -> list[Path]:
    """Return every JSON file below the directory, packed or not, by path."""
    return sorted(path for path in directory.rglob("*.json*") if path.name.endswith((".json", ".json.gz")))


def read_json(path: Path) -> Any:
    """Return a JSON file's data, unpacked where its name ends with .gz."""
    try:
        data = path.read_bytes()
        return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    except (OSError, EOFError, ValueError) as error:
        raise BadInput(f"{path}: cannot be read as JSON: {error}") from error


def read_tasks(directory: Path) -> list[ToolbenchTask]:
    """Return all tasks, by query id; raises `BadInput` for a task that is incomplete or that comes twice."""
    tasks: dict[int, ToolbenchTask] = {}
    for path in files_below(directory / QUERIES):
        for task in _tasks_of(path):
            if task.query_id in tasks:
                raise BadInput(f"{path}: query_id {task.query_id} comes twice")
            tasks[task.query_id] = task
    return [tasks[query_id] for query_id in sorted(tasks)]


def _tasks_of(path: Path) -> Iterator[ToolbenchTask]:
    data = read_json(path)
    if not isinstance(data, list):
        raise BadInput(f"{path}: expected a list of tasks")
    for position, entry in enumerate(data):
        task = ToolbenchTask.checked(entry, f"{path}, task {position}")
        if not task.relevant:
            raise BadInput(f"{path}, task {position}: calls no API; its relevant APIs are empty")
        unknown = set(task.relevant) - {(api.tool, api.name) for api in task.api_list}
        if unknown:
            raise BadInput(f"{path}, task {position}: relevant APIs that its api_list does not hold: {sorted(unknown)}")
        yield task
