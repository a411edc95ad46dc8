"""Writes type stubs from contracts: a function for each tool, a TypedDict for each object; `Any` for what is left open.

The type checker ty reads them, inside the sandbox.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....model.content import canonical_json
from ...contracts.schemas import Schema, is_object, parameters, properties, required, response
from .names import function_name, function_names, python_name
from .parsing import tool_calls, tree_of
from .source_edits import SourceEditor

HEADER = "from typing import Any, Literal, NotRequired, TypedDict\n"
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def stubs(contracts: Mapping[str, Mapping[str, Any]]) -> str:
    """Return declarations of all the tools of a chain, as Python; the same text for the same contracts."""
    return HEADER + "".join(_tool(tool, contracts[tool]) for tool in sorted(contracts))


def typed_view(source: str, contracts: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a chain as the type checker can read it: what a call spreads from a dict is written as keywords."""
    view = SourceEditor(source)
    try:
        calls = tool_calls(tree_of(source), function_names(contracts))
        for holder in (keyword for call in calls for keyword in call.node.keywords):
            if holder.arg is None:
                view.unspread(holder)
        edited = view.edited()
        tree_of(edited)
    except SyntaxError:
        return source
    return edited


def _tool(tool: str, contract: Mapping[str, Any]) -> str:
    name = function_name(tool)
    types = _Types(f"_{name}")
    result = types.of(response(contract), "result")
    signature = _signature(parameters(contract), types)
    return "".join(types.declarations) + f"def {name}({signature}) -> {result}: ...\n"


def _signature(schema: Schema, types: _Types) -> str:
    """Return keywords by name, as `typed_view` writes them; open where two names would be one."""
    documented, needed = properties(schema), required(schema)
    if len({python_name(name) for name in documented}) < len(documented):
        return "**arguments: Any"
    keywords = [_parameter(name, types.of(inner, name), name in needed) for name, inner in documented.items()]
    return ", ".join(["*", *keywords] if keywords else [])


def _parameter(name: str, kind: str, needed: bool) -> str:
    return f"{python_name(name)}: {kind}" + ("" if needed else " = ...")


class _Types:
    """Writes the types of one tool; `declarations` collects those that they need, inner ones first."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.declarations: list[str] = []

    def of(self, schema: Any, label: str) -> str:
        """Return the type of a schema's values; `label` tells its parts apart."""
        return " | ".join(dict.fromkeys(self._kinds(schema, label))) or "Any"

    def _kinds(self, schema: Any, label: str) -> Iterator[str]:
        if not isinstance(schema, Mapping):
            return
        if "enum" in schema or "const" in schema:
            yield _literal(schema.get("enum", [schema.get("const")]))
            return
        for way in ("anyOf", "oneOf"):
            for number, part in enumerate(schema.get(way) or ()):
                yield self.of(part, f"{label}_{number}")
        kinds = schema.get("type", "object" if is_object(schema) else [])
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            yield self._kind(kind, schema, label)

    def _kind(self, kind: str, schema: Schema, label: str) -> str:
        if kind == "array":
            return f"list[{self.of(schema.get('items'), f'{label}_item')}]"
        if kind == "object":
            return self._object(schema, label) if properties(schema) else "dict[str, Any]"
        return PLAIN.get(kind, "Any")

    def _object(self, schema: Schema, label: str) -> str:
        fields = {name: self.of(inner, f"{label}_{name}") for name, inner in properties(schema).items()}
        needed = required(schema)
        entries = (f"{name!r}: {kind if name in needed else f'NotRequired[{kind}]'}" for name, kind in fields.items())
        name = f"{self.prefix}_{len(self.declarations)}"
        self.declarations.append(f'{name} = TypedDict("{name}", {{{", ".join(entries)}}})\n')
        return name


def _literal(values: Any) -> str:
    """Return a Literal of strings, whole numbers, booleans and null; `Any` where there is another value."""
    if not isinstance(values, list) or not all(isinstance(value, str | int | None) for value in values):
        return "Any"
    return f"Literal[{', '.join(repr(value) for value in values)}]" if values else canonical_json(None)
