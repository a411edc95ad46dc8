"""Makes recorded responses a runner: for tests, and for work without a network.

A response is found by its tool and the canonical JSON of its arguments; nothing is made up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from ....errors import BadInput
from ....model.content import canonical_json
from ...protocol.tools import NotOffered


class RecordedRunner:
    """A `ToolRunner` that answers what was recorded."""

    def __init__(self, recordings: Iterable[tuple[str, Mapping[str, Any], Any]] = ()) -> None:
        """Take (tool, arguments, response); raises `BadInput` for two responses to one call, or for what is no JSON."""
        self._responses: dict[tuple[str, str], str] = {}
        for tool, arguments, response in recordings:
            self.record(tool, arguments, response)

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read lines `{"tool", "arguments", "response"}` of JSON; raises `BadInput` that names the line."""
        runner = cls()
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            raise BadInput(f"cannot read the recordings in {path}: {error}") from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                runner.record(*_read(line, f"{path}, line {number}"))
        return runner

    def record(self, tool: str, arguments: Mapping[str, Any], response: Any) -> None:
        """Add a response; the same again changes nothing, another to the same call raises `BadInput`."""
        answer = canonical_json(response, f"the response of {tool}")
        if self._responses.setdefault(_call(tool, arguments), answer) != answer:
            raise BadInput(f"{tool} has two recorded responses to {canonical_json(dict(arguments))}")

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Return the recorded response; raises `NotOffered` where there is none."""
        answer = self._responses.get(_call(tool, arguments))
        if answer is None:
            raise NotOffered(f"no response of {tool} to {canonical_json(dict(arguments))} is recorded")
        return json.loads(answer)

    def reads(self, tool: str) -> bool:
        """Return True: nothing is called, what was recorded is said again."""
        return True

    def __len__(self) -> int:
        return len(self._responses)


def _call(tool: str, arguments: Mapping[str, Any]) -> tuple[str, str]:
    return tool, canonical_json(dict(arguments), f"the arguments of {tool}")


def _read(line: str, where: str) -> tuple[str, dict[str, Any], Any]:
    try:
        recording = json.loads(line)
        tool, arguments, response = recording["tool"], recording["arguments"], recording["response"]
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise BadInput(f"{where}: a recording has tool, arguments and response: {error}") from error
    if not isinstance(tool, str) or not isinstance(arguments, dict):
        raise BadInput(f"{where}: tool is a name, and arguments are an object")
    return tool, arguments, response
