"""Makes up what a dry run needs: arguments for a chain and answers of its tools, both from the contracts."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from ...contracts.examples import DIGITS, example
from ...contracts.schemas import Contracts, Schema, parameters, properties, response
from .names import function_names
from .parsing import chain_of, parse, tool_calls
from .tool_host import Answer

BY_ANNOTATION: dict[str, Any] = {"int": 1, "float": 1.0, "bool": True, "list": [], "dict": {}}
"""Annotation → the argument for a parameter that the chain passes on to no tool."""


def answer_from_schemas(contracts: Contracts) -> Answer:
    """Return tools that answer every call with an example of their output schema."""
    return lambda tool, arguments: example(response(contracts[tool]))


def sample_arguments(source: str, contracts: Contracts) -> dict[str, Any]:
    """Return an argument for each parameter of the chain without a default; raises `ChainFailed` for no chain.

    A parameter that is passed on to a tool gets an example of that tool's parameter, another one the value of
    `BY_ANNOTATION`, else a text that can be read as a number too.
    """
    tree = parse(source)
    schemas = _passed_on(tree, contracts)
    return {
        parameter.arg: _sample(parameter, schemas.get(parameter.arg))
        for parameter in _required_parameters(chain_of(tree).args)
    }


def _required_parameters(signature: ast.arguments) -> list[ast.arg]:
    positional = signature.posonlyargs + signature.args
    keyword = zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
    return [
        *positional[: len(positional) - len(signature.defaults)],
        *(parameter for parameter, default in keyword if default is None),
    ]


def _passed_on(tree: ast.Module, contracts: Contracts) -> Mapping[str, Schema | None]:
    """Return name → the schema of the tool's parameter that is given this name as it stands."""
    return {
        argument.value.id: properties(parameters(contracts[call.tool])).get(argument.name)
        for call in tool_calls(tree, function_names(contracts))
        for argument in call.arguments.values()
        if isinstance(argument.value, ast.Name)
    }


def _sample(parameter: ast.arg, schema: Schema | None) -> Any:
    if schema is not None:
        return example(schema)
    annotation = parameter.annotation
    return BY_ANNOTATION.get(ast.unparse(annotation).split("[")[0] if annotation is not None else "", DIGITS)
