"""Rewrites a chain for new contracts: follows each change that touches it, or refuses with the reasons.

Calls and the keys of fields are rewritten; all else stays, byte for byte.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ...contracts.diff import ChangeKind, ContractChange, parameter_changes, result_changes
from ...contracts.schemas import Contracts, Path, Schema, own_constraints, parameters, properties, response
from ...contracts.validation import schema_fault
from .call_migration import CallMigration
from .dataflow import READ_AS_BUILT_IN, field_uses
from .names import function_name, function_names
from .origins import Use
from .parsing import ToolCall, bound_names, parse, stray_fault, tool_calls
from .source_edits import SourceEditor
from .tool_host import ChainFailed

NO_EFFECT = frozenset({ChangeKind.WIDENED, ChangeKind.ADDED})
"""Changes of parameters that leave every call valid and its meaning alone."""
SHOWN = 4
"""reasons that a refusal names"""


def rewrite(
    source: str,
    old: Contracts,
    new: Contracts,
    successors: Mapping[str, str],
    presentational: Mapping[str, Collection[str]],
) -> str:
    """Return the source for the new contracts; raises `ChainFailed` with the reasons where that is not certain.

    `old` are the contracts of the tools that the source may call, `new` those in force, `successors` old tool → tool
    in force that stands in its place, itself where it stayed; `presentational` tool → parameters that are for show.
    """
    rewriting = _Rewriting(source, old, new, successors, presentational)
    reasons = list(dict.fromkeys(rewriting.reasons()))
    if reasons:
        more = f"; and {len(reasons) - SHOWN} more" if len(reasons) > SHOWN else ""
        raise ChainFailed("; ".join(reasons[:SHOWN]) + more)
    return rewriting.source.edited()


def undocumented(path: Path, schema: Schema) -> str:
    """Return the fault of a path with a member that a response, documented for the first time, does not have; or ""."""
    for step in path:
        if schema and step not in properties(schema):
            return f"field {step} is not documented, and the chain reads it"
        schema = properties(schema).get(step, {})
    return ""


class _Rewriting:
    """Rewrites one source; `reasons` makes the edits while it is iterated, so it is iterated to its end, once."""

    def __init__(
        self,
        source: str,
        old: Contracts,
        new: Contracts,
        successors: Mapping[str, str],
        presentational: Mapping[str, Collection[str]],
    ) -> None:
        self.source = SourceEditor(source)
        self.old, self.new, self.successors, self.presentational = old, new, successors, presentational
        self.tree = parse(source)
        self.functions = function_names(old)
        if fault := stray_fault(self.tree, self.functions):
            raise ChainFailed(fault)
        if redefined := sorted(bound_names(self.tree) & READ_AS_BUILT_IN):
            raise ChainFailed(f"the chain has a {redefined[0]} of its own, which cannot be told from the built-in one")
        self.calls = tool_calls(self.tree, self.functions)

    def reasons(self) -> Iterator[str]:
        """Yield what cannot be rewritten; edit all else on the way."""
        for call in self.calls:
            for reason in self.call_reasons(call):
                yield f"line {call.node.lineno}: {call.tool}: {reason}"
        responses = {tool: response(contract) for tool, contract in self.old.items()}
        changes = {tool: list(result_changes(contract, self.successor(tool))) for tool, contract in self.old.items()}
        for use in field_uses(self.tree, self.functions, responses):
            tool = use.origin.tool
            reasons = [self.use_reason(use, change) for change in changes[tool]]
            if not responses[tool]:
                reasons.append(undocumented(use.origin.path, self.response(tool)))
            yield from (f"line {use.line}: {tool}: {reason}" for reason in reasons if reason)

    def successor(self, tool: str) -> Mapping[str, Any]:
        """Return the contract of a tool's successor; its own where it has none, which `call_reasons` refuses."""
        return self.new[self.successors[tool]] if tool in self.successors else self.old[tool]

    def response(self, tool: str) -> Mapping[str, Any]:
        """Return the response of a tool's successor."""
        return response(self.successor(tool))

    def call_reasons(self, call: ToolCall) -> list[str]:
        """Rewrite a call; return what cannot be rewritten in it."""
        if call.tool not in self.successors:
            return ["it is not in force any more, and nothing says what takes its place"]
        name = function_name(self.successors[call.tool])
        if name != function_name(call.tool):
            self.source.replace(call.node.func, name)
        old, new = self.old[call.tool], self.new[self.successors[call.tool]]
        changes = list(parameter_changes(parameters(old), parameters(new)))
        effective = [change for change in changes if change.kind not in NO_EFFECT]
        if call.dynamic and effective:
            return [f"{effective[0]}, and which arguments the chain gives cannot be read"]
        if reason := _combination_fault(call, parameters(old), parameters(new), bool(effective)):
            return [reason]
        return CallMigration(call, old, new, self.presentational.get(call.tool, ())).follow(changes, self.source)

    def use_reason(self, use: Use, change: ContractChange) -> str:
        """Rename a key on the way to a reading; return what cannot be rewritten, or ""."""
        path, changed = use.origin.path, change.path
        reached = path[: len(changed)] == changed
        below = use.whole and len(changed) > len(path) and changed[: len(path)] == path
        if change.kind is ChangeKind.NARROWED or (change.kind is ChangeKind.ADDED and not below):
            return ""
        if not path and not use.whole and change.kind is ChangeKind.SENSE:
            return ""
        if below or (reached and change.kind is not ChangeKind.RENAMED):
            return f"{change}, and the chain reads it"
        if reached and (key := use.origin.keys[len(changed) - 1]) is not None:
            self.source.rename_key(key, change.to)
        return ""


def _combination_fault(call: ToolCall, old: Schema, new: Schema, edited: bool) -> str:
    """Return why a call may break what a new contract says of its parameters together (`anyOf`, `dependentSchemas`)."""
    demands = own_constraints(new)
    if demands in (own_constraints({}), own_constraints(old)):
        return ""
    if edited or call.literals is None:
        return "which parameters go together changed, and what the chain gives cannot be checked for that"
    return schema_fault(dict(new), call.literals)
