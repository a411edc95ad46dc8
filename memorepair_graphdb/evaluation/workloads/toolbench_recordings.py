"""Reads real calls with their real responses from ToolBench's trajectories.

A recording is what a service answered; a call that failed, or that cannot be told from another API's, is no
recording.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from ...model.content import canonical_json
from .toolbench_files import TRAJECTORIES, Api, files_below, read_json

LONGEST_FUNCTION = 64
"""Upstream keeps the last 64 characters of a function's name."""
RESERVED = frozenset({"from", "class", "return", "false", "true", "id", "and", ""})
"""Names before which upstream puts `is_`."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One answered call: upstream's function name, the arguments as written, the response."""

    function: str
    arguments: dict[str, Any]
    response: Any


class Recordings:
    """The recordings of a ToolBench directory, found by API and arguments."""

    def __init__(self, directory: Path, apis: Iterable[Api]) -> None:
        names: dict[str, set[tuple[str, str]]] = {}
        for api in apis:
            names.setdefault(function_name(api), set()).add((api.tool, api.name))
        clear = {name for name, bearers in names.items() if len(bearers) == 1}
        self._responses: dict[tuple[str, str], Any] = {}
        self._calls: dict[tuple[int, str], dict[str, Any]] = {}
        for part in TRAJECTORIES:
            for path in files_below(directory / part):
                query = int(re.match(r"\d*", path.name)[0] or -1)  # type: ignore[index]
                for recording in read_recordings(path):
                    if recording.function in clear:
                        self._keep(query, recording)

    def _keep(self, query: int, recording: Recording) -> None:
        """The first recording of a call is the one that counts."""
        self._responses.setdefault((recording.function, canonical_json(recording.arguments)), recording.response)
        self._calls.setdefault((query, recording.function), recording.arguments)

    def arguments(self, query_id: int, api: Api) -> dict[str, Any] | None:
        """Return the documented arguments of the first such call in the task's own trajectories.

        None where there is none.
        """
        written = self._calls.get((query_id, function_name(api)))
        if written is None:
            return None
        documented = {parameter_name(each.name): each.name for each in (*api.required, *api.optional)}
        return {documented.get(name, name): value for name, value in written.items()}

    def response(self, api: Api, arguments: Mapping[str, Any]) -> tuple[Any] | None:
        """Return the recorded response to exactly this call, in a tuple of one; None where there is none."""
        written = canonical_json({parameter_name(name): value for name, value in arguments.items()})
        key = (function_name(api), written)
        return (self._responses[key],) if key in self._responses else None


def function_name(api: Api) -> str:
    """Return the name under which upstream's agents call the API."""
    return f"{parameter_name(api.name)}_for_{_standard(api.tool)}"[-LONGEST_FUNCTION:]


def parameter_name(name: str) -> str:
    """Return the name under which upstream's agents know a parameter."""
    standard = _standard(name)
    return f"is_{standard}" if standard in RESERVED else standard


def _standard(name: str) -> str:
    standard = re.sub(r"_{2,}", "_", re.sub(r"[^\u4e00-\u9fa5^a-zA-Z0-9_]", "_", name)).lower().strip("_")
    return f"get_{standard}" if standard[:1].isdigit() else standard


def read_recordings(path: Path) -> Iterator[Recording]:
    """Yield the answered calls of one trajectory file, in its order."""
    for function, arguments, observation in _steps(read_json(path)):
        try:
            given, answer = json.loads(arguments), json.loads(observation)
        except ValueError:
            continue  # the agent wrote no JSON, or upstream cut the observation
        if isinstance(given, dict) and isinstance(answer, dict) and not answer.get("error") and answer.get("response"):
            yield Recording(function, given, _parsed(answer["response"]))


def _steps(node: Any) -> Iterator[tuple[str, str, str]]:
    """Function, arguments and observation of every call below a node: a tree of children, or a chain in a list."""
    if isinstance(node, dict):
        if node.get("node_type") == "Action":
            yield from _inputs(node, node.get("children", []))
        for part in node.values():
            yield from _steps(part)
    elif isinstance(node, list):
        for action, following in pairwise(node):
            if isinstance(action, dict) and action.get("node_type") == "Action" and "children" not in action:
                yield from _inputs(action, [following])
        for part in node:
            yield from _steps(part)


def _inputs(action: dict[str, Any], followers: list[Any]) -> Iterator[tuple[str, str, str]]:
    for step in followers:
        if isinstance(step, dict) and step.get("node_type") == "Action Input":
            yield str(action.get("description")), str(step.get("description")), str(step.get("observation"))


def _parsed(response: Any) -> Any:
    """Return the response as JSON: services answered with JSON, with Python's literals, or with text."""
    if not isinstance(response, str):
        return response
    for parse in (json.loads, ast.literal_eval):
        try:
            parsed = parse(response)
            canonical_json(parsed)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        return parsed
    return response
