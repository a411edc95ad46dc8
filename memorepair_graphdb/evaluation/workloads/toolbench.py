"""Makes an agent's memory of ToolBench: requests, contracts and responses, and what an agent derives from them.

The lines are in the wire format (design, section 9), parents before children, the same on every machine; whatever was
synthesised, or made from what was, has `"synthetic": true` in its metadata.

A memory of the 765 tasks of StableToolBench that can be solved, as `shared/workloads.md`, section 1, lays it out.
ToolBench has no users; `metadata.user` of a request is made up (`metadata.user_synthetic`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from ...operators.protocol.registry import Registry
from .derivation import Line, Workbench, source
from .toolbench_chains import Procedure
from .toolbench_contracts import contract
from .toolbench_files import ToolbenchTask, check_directory
from .toolbench_responses import answer
from .toolbench_usage import ToolbenchCall, Usage, category_of, read_usage, short_hash

Item = TypeVar("Item")
Group = TypeVar("Group")

REPLAY = "{tool: contract.name, arguments: arguments, response: response}"
SENTENCES = {"task": 3, "tool": 5, "category": 7}
"""How long the summaries of one task, one tool and one category are."""


def toolbench(
    directory: Path, change: Callable[[Line], Line] = lambda line: line, registry: Registry | None = None
) -> Iterator[Line]:
    """Return the memory's lines; raises `BadInput` at once where the directory is not ToolBench's.

    `change` may give a line another operator or recipe before its content is made, by an operator of `registry`.
    """
    check_directory(directory)
    return _lines(directory, change, registry)


def users(lines: Iterable[Line]) -> dict[str, list[str]]:
    """Return user → the keys of their requests: five each, fewer for the last user of a category."""
    requests: dict[str, list[str]] = {}
    for line in lines:
        user = line.get("metadata", {}).get("user")
        if user is not None:
            requests.setdefault(user, []).append(line["key"])
    return requests


def _lines(directory: Path, change: Callable[[Line], Line], registry: Registry | None) -> Iterator[Line]:
    usage, workbench = read_usage(directory), Workbench(registry)
    for part in PARTS:
        for line in part(usage):
            yield workbench.finish(change(line))


def _contracts(usage: Usage) -> Iterator[Line]:
    for name, call in {call.name: call for call in usage.calls}.items():
        yield {
            "key": f"doc/{name}",
            "kind": "record",
            "content": contract(call.api, name),
            "metadata": {"category": call.api.category, "method": call.api.method},
            "tool": name,
        }


def _requests(usage: Usage) -> Iterator[Line]:
    for task in usage.tasks:
        metadata = {
            "category": category_of(task),
            "tools": [call.name for call in usage.of_task[task.query_id]],
            "user": usage.user_of[task.query_id],
            "user_synthetic": True,
        }
        yield {"key": _request(task), "kind": "record", "content": task.query, "metadata": metadata}


def _responses(usage: Usage) -> Iterator[Line]:
    for call in usage.calls:
        line: Line = {"key": f"resp/{call.key}", "kind": "record", "content": answer(call)}
        if call.recorded is None:
            line["metadata"] = {"synthetic": True}
        yield line


def _caches(usage: Usage) -> Iterator[Line]:
    for call in usage.calls:
        yield {
            "key": _cache(call),
            "kind": "cache",
            "influenced_by": [
                source(f"doc/{call.name}", "contract", required=True),
                source(f"resp/{call.key}", "response", required=True),
                *(source(_request(task), "request", required="any") for task in call.tasks),
            ],
            "operator": "replay@1",
            "recipe": {"expression": REPLAY, "arguments": call.arguments, "fields_of": "contract"},
        }


def _task_summaries(usage: Usage) -> Iterator[Line]:
    for task in usage.tasks:
        results = [source(_cache(call), "result") for call in usage.of_task[task.query_id]]
        yield _summary(f"task/{task.query_id}", [source(_request(task), "request", required=True), *results])


def _tool_summaries(usage: Usage) -> Iterator[Line]:
    for tool, calls in _busy_tools(usage).items():
        yield _summary(f"tool/{tool}", [source(_cache(call), "result") for call in calls])


def _category_summaries(usage: Usage) -> Iterator[Line]:
    for category, tasks in _busy_categories(usage).items():
        yield _summary(f"category/{category}", [source(_task_summary(task), "summary") for task in tasks])


def _summary(name: str, sources: list[Line]) -> Line:
    sentences = SENTENCES[name.partition("/")[0]]
    return {
        "key": f"sum/{name}",
        "kind": "summary",
        "influenced_by": sources,
        "operator": "summary@1",
        "recipe": {"sentences": sentences},
    }


def _notes(usage: Usage) -> Iterator[Line]:
    for tool, calls in _busy_tools(usage).items():
        names = list(dict.fromkeys(call.name for call in calls))
        contracts = [source(f"doc/{name}", "contract") for name in names]
        yield {
            "key": f"note/{tool}",
            "kind": "skill",
            "arch": "prompt",
            "influenced_by": [*contracts, source(f"sum/tool/{tool}", "summary")],
            "operator": "note@1",
            "recipe": {"tool": names[0]} if len(names) == 1 else {"tools": names},
        }


def _chains(usage: Usage) -> Iterator[Line]:
    """Yield a procedure for every set of two or more tools that a task needs; in the order of the first such task."""
    shown = _group(usage.tasks, lambda task: frozenset(call.name for call in usage.of_task[task.query_id]))
    for tools, tasks in shown.items():
        if len(tools) < 2:
            continue
        calls = {call.key: call for task in tasks for call in usage.of_task[task.query_id]}
        procedure = Procedure([{call.name: call for call in usage.of_task[task.query_id]} for task in tasks])
        yield {
            "key": f"chain/{short_hash(sorted(tools))}",
            "kind": "skill",
            "arch": "chain",
            "content": procedure.source(),
            "influenced_by": [
                *(source(f"doc/{name}", "contract") for name in procedure.contracts),
                *(source(_task_summary(task), "summary") for task in tasks),
                *(source(_cache(call), "result") for call in calls.values()),
            ],
            "metadata": {"synthetic": True},
            "operator": "chain@1",
            "recipe": procedure.recipe(),
        }


def _selectors(usage: Usage) -> Iterator[Line]:
    """Yield what picks a tool for a request, one a category.

    Its labels are in its training rows' metadata, not in it.
    """
    for category, tasks in _busy_categories(usage).items():
        tools = {call.name for task in tasks for call in usage.of_task[task.query_id]}
        yield {
            "key": f"selector/{category}",
            "kind": "skill",
            "arch": "neural",
            "content": {"category": category, "rows": len(tasks), "tools": sorted(tools)},
            "influenced_by": [
                *(source(_request(task), "request") for task in tasks),
                *(source(_task_summary(task), "summary") for task in tasks),
            ],
            "metadata": {"synthetic": True},
            "operator": "selector@1",
            "recipe": {"category": category},
        }


PARTS = (
    _contracts,
    _requests,
    _responses,
    _caches,
    _task_summaries,
    _tool_summaries,
    _category_summaries,
    _notes,
    _chains,
    _selectors,
)
"""The memory, parents before children."""


def _busy_tools(usage: Usage) -> dict[str, list[ToolbenchCall]]:
    """Return tool → its calls, for the tools with two or more: one result is no experience to sum up."""
    return _of_two(_group(usage.calls, lambda call: call.tool))


def _busy_categories(usage: Usage) -> dict[str, list[ToolbenchTask]]:
    """Return category → its tasks, for the categories with two or more."""
    return _of_two(_group(usage.tasks, category_of))


def _of_two(groups: dict[Group, list[Item]]) -> dict[Group, list[Item]]:
    return {group: items for group, items in groups.items() if len(items) > 1}


def _group(items: Iterable[Item], group_of: Callable[[Item], Group]) -> dict[Group, list[Item]]:
    groups: dict[Group, list[Item]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    return groups


def _request(task: ToolbenchTask) -> str:
    return f"instr/{task.query_id}"


def _cache(call: ToolbenchCall) -> str:
    return f"cache/{call.key}"


def _task_summary(task: ToolbenchTask) -> str:
    return f"sum/task/{task.query_id}"
