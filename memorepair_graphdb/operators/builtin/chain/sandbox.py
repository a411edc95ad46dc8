"""Runs a chain in a worker process that reaches nothing but its tools, within limits (pydantic-monty).

JSON text goes in and JSON text comes out, both written inside: pydantic-monty silently alters other values that cross
(deep lists, functions, NaN). The sandbox is loaded when it is first used: a registry lists a chain's operator
where it is not installed.
"""

from __future__ import annotations

import atexit
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from ....errors import BadInput
from ....model.content import as_json
from .names import function_name
from .tool_host import Answer, ChainFailed, ContractViolation, HostCall, ToolHost, ToolLimits

if TYPE_CHECKING:
    import pydantic_monty as monty

MIB = 1024 * 1024
SOURCE_BYTES = 256 * 1024
TYPE_CHECK_SECONDS = 30.0
"""A turn of a worker that takes longer is ended from outside."""
PRELUDE = "import json as _json\n"
TOOL = "def {name}(**arguments):\n    return _json.loads(_call({tool}, _json.dumps(arguments)))\n"
FINISH = "_json.dumps(chain(**_json.loads(_arguments)))"
STOPS = ("TimeoutError", "MemoryError", "RecursionError", "limit")
"""How the sandbox names a limit that was reached."""
OS_POLICY: monty.OSPolicy = {
    "datetime": datetime(2026, 1, 1, tzinfo=UTC),
    "random_start": {"seed": 0},
    "sleep": "zero",
}
"""A fixed clock and a fixed seed: a chain returns the same result each time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use."""

    seconds: float = 2.0
    """of computing, without its tools"""
    memory: int = 64 * MIB
    depth: int = 200
    """calls inside calls"""
    tools: ToolLimits = field(default_factory=ToolLimits)


@dataclass(frozen=True, slots=True)
class Run:
    """What a chain returned, and the calls it made in their order."""

    result: Any
    calls: tuple[HostCall, ...]


class Sandbox:
    """Runs chains in a pool of worker processes; threads may share it. Close it, or use it in a `with`."""

    def __init__(self, workers: int = 2) -> None:
        import pydantic_monty as monty

        self._pool = monty.Monty(max_processes=workers, request_timeout=TYPE_CHECK_SECONDS).__enter__()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *exit: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers."""
        self._pool.__exit__(None, None, None)

    def run(
        self,
        source: str,
        arguments: Mapping[str, Any],
        contracts: Mapping[str, Mapping[str, Any]],
        answer: Answer,
        limits: Limits | None = None,
    ) -> Run:
        """Run `chain(**arguments)` of a source; raises `ContractViolation` or `ChainFailed` only."""
        import pydantic_monty as monty

        limits = limits or Limits()
        host = ToolHost(contracts, answer, limits.tools)
        try:
            text = self._run_to_end(source, as_json(dict(arguments), "the arguments"), host, limits)
        except monty.MontyError as error:
            _raise_failure(host.violation, error)
        if host.violation:
            raise ContractViolation(f"the chain {host.violation}")
        return Run(_result(text), tuple(host.calls))

    def type_fault(self, source: str, stubs: str) -> str:
        """Return why a source does not fit the stubs that declare its tools, or does not load; "" where it fits.

        A worker that was ended from outside, as on a machine under load, says nothing of the source: another is asked.
        """
        import pydantic_monty as monty

        try:
            with suppress(monty.MontyCrashedError):
                return self._type_fault(source, stubs)
            return self._type_fault(source, stubs)
        except monty.MontyError as error:
            return " ".join(str(error).split())

    def _type_fault(self, source: str, stubs: str) -> str:
        import pydantic_monty as monty

        try:
            with self._pool.checkout(
                limits=_resources(Limits()),
                os_policy=OS_POLICY,
                type_check=True,
                type_check_stubs=stubs,
                type_check_format="concise",
            ) as session:
                session.feed_run(_within_limit(source), print_callback=monty.CollectString())
        except monty.MontyTypingError as error:
            return "; ".join(error.display().split("\n")).strip("; ")
        return ""

    def _run_to_end(self, source: str, arguments: str, host: ToolHost, limits: Limits) -> Any:
        import pydantic_monty as monty

        lookup = {"_call": host.call}
        printed = monty.CollectString()
        with self._pool.checkout(limits=_resources(limits), os_policy=OS_POLICY) as session:
            session.feed_run(_prelude(host.tools))
            session.feed_run(_within_limit(source), external_lookup=lookup, print_callback=printed)
            inputs = {"_arguments": arguments}
            return session.feed_run(FINISH, inputs=inputs, external_lookup=lookup, print_callback=printed)


@cache
def shared_sandbox() -> Sandbox:
    """Return the process's own sandbox, started when it is first needed and ended with the process."""
    sandbox = Sandbox()
    atexit.register(sandbox.close)
    return sandbox


def _prelude(tools: Iterable[str]) -> str:
    return PRELUDE + "".join(TOOL.format(name=function_name(tool), tool=repr(tool)) for tool in tools)


def _resources(limits: Limits) -> monty.ResourceLimits:
    return {
        "max_feed_duration_secs": limits.seconds,
        "max_turn_duration_secs": limits.seconds,
        "max_memory": limits.memory,
        "max_recursion_depth": limits.depth,
        "max_suspensions": 2 * limits.tools.calls + 100,
        "max_total_sleep_secs": 0.0,
    }


def _within_limit(source: str) -> str:
    if len(source.encode("utf-8", "surrogatepass")) > SOURCE_BYTES:
        raise ContractViolation(f"the chain has more than {SOURCE_BYTES} bytes of source")
    return source


def _result(text: Any) -> Any:
    try:
        if not isinstance(text, str):
            raise BadInput(f"{type(text).__name__} came instead of JSON text")
        result = json.loads(text)
        as_json(result, "it")
    except (ValueError, RecursionError) as error:
        raise ContractViolation(f"the chain's result is no JSON: {error}") from error
    return result


def _raise_failure(violation: str, error: monty.MontyError) -> NoReturn:
    import pydantic_monty as monty

    if violation:
        raise ContractViolation(f"the chain {violation}") from error
    message = " ".join(str(error).split())[:300]
    if isinstance(error, monty.MontyCrashedError) or message.startswith(STOPS):
        raise ContractViolation(f"the chain was stopped: {message}") from error
    raise ChainFailed(f"the chain failed: {message}") from error
