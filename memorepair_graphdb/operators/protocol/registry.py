"""The operators, validators and tools that one process knows, by name and version.

A name stands for one meaning; a new meaning gets a new version.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from math import isfinite
from threading import RLock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from pydantic import BaseModel

from ...errors import BadInput
from ...model.artifact import Arch, Kind
from ...model.vocabulary import Mode, SupportNeed
from .operator import Answered, Cost, Operator, Refuse, Run, Tool, Validator
from .recipe import parse_recipe

if TYPE_CHECKING:
    from .tools import ToolRunner

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Runner = TypeVar("_Runner", bound=Callable[[str, dict[str, Any]], Any])

BUILT_IN: Mapping[str, str] = {
    "adapter@1": "neural.adapter.operator",
    "chain@1": "chain.operator",
    "llm@1": "llm.operator",
    "note@1": "note.note_1",
    "note@2": "note.note_2",
    "replay@1": "replay_1",
    "replay@2": "tool_call",
    "selector@1": "neural.selector.operator",
    "summary@1": "summary.summary_1",
    "summary@2": "summary.summary_2",
}
"""Operator → the module of this room that registers it."""

OPERATOR_NAME = re.compile(r"[^\s@]+@[^\s@]+")


class Registry:
    """A set of operators, each with its validators, and the tools that a replay may call."""

    def __init__(self) -> None:
        self._operators: dict[str, Operator] = {}
        self._tools: dict[str, Tool] = {}
        self._reading: set[str] = set()
        """names of the tools that are said to read only"""
        self._runners: list[ToolRunner] = []
        self._to_import: dict[str, str] = {}
        self._lock = RLock()
        """held while an operator is imported: nobody gets one that lacks some of its checks yet"""

    @classmethod
    def default(cls) -> Registry:
        """Return a fresh registry with the built-in operators; each is imported when somebody first asks for it."""
        registry = cls()
        registry._to_import = dict(BUILT_IN)
        return registry

    def operator(
        self,
        name: str,
        *,
        mode: Mode | str,
        support: SupportNeed | str = SupportNeed.ALL,
        cost: Cost | None = None,
        previous: bool = False,
        timeout: float = 60.0,
        templates: tuple[str, ...] = (),
        kinds: tuple[Kind | Arch | str, ...] = (),
        needs: tuple[str, ...] = (),
        extra: str = "",
        retries: int = 0,
        memory: int | None = None,
        rewrites: bool = False,
        refuses: Refuse | None = None,
        vouching: tuple[str, ...] = (),
        answered: Answered | None = None,
        recipe: type[BaseModel] | None = None,
    ) -> Callable[[_Function], _Function]:
        """Register the function below it; raises `BadInput` for a bad name, mode or limit, or a name that is taken.

        `kinds` are what it is made for (`Operator.kinds`); `needs` the modules without which nothing is planned with
        it here, and `extra` what brings them; `retries` are for errors that can pass; `memory` is a limit in MiB. One
        that `rewrites` is not planned where the former content rests on retracted text; what `refuses` gives a reason
        for is removed at planning. A successor is rejected where every check that `vouching` names says
        `not_applicable`; by default none needs to apply. Where `answered` says so, the content is a tool's fresh
        answer, which is held to names and numbers of retracted texts, and not to all their words. `recipe` is the
        pydantic model of its recipes (`Context.recipe_as` gives them parsed); a subclass of `Recipe`
        has the fields `schema` and `checks`.
        """
        mode_and_need = _known_mode(name, mode), _known_need(name, support)
        if not OPERATOR_NAME.fullmatch(name):
            raise BadInput(f"an operator is named name@version, not {name!r}")
        if name in self:
            raise BadInput(f"{name} is registered already; a new meaning gets a new version")
        for plural, value in (("phrases", templates), ("modules", needs), ("kinds", kinds), ("checks", vouching)):
            if isinstance(value, str):
                raise BadInput(f"{name} is given a tuple of {plural}, not one string")
        if recipe is not None and not (isinstance(recipe, type) and issubclass(recipe, BaseModel)):
            raise BadInput(f"the recipe of {name} is described by a pydantic model, not by {recipe!r}")
        _check_limits(name, timeout, retries, memory)
        made_for = tuple(_known_kind(name, kind) for kind in kinds)

        def register(function: _Function) -> _Function:
            self._operators[name] = Operator(
                name,
                *mode_and_need,
                function,
                cost,
                previous or rewrites,
                float(timeout),
                templates=tuple(templates),
                description=_first_line(function),
                kinds=made_for,
                needs=tuple(needs),
                extra=extra,
                retries=retries,
                memory=memory,
                rewrites=rewrites,
                refuses=refuses,
                vouching=tuple(vouching),
                answered=answered,
                recipe=recipe,
            )
            return function

        return register

    def validator(self, name: str) -> Callable[[_Function], _Function]:
        """Add the function below it to the checks of an operator; raises `BadInput` when there is none of this name."""
        if self.find(name) is None:
            raise BadInput(f"no operator {name} to validate; there are {', '.join(self.names()) or 'none'}")

        def register(function: _Function) -> _Function:
            operator = self._operators[name]
            self._operators[name] = replace(operator, validators=(*operator.validators, function))
            return function

        return register

    def tool(self, name: str, *, reads: bool = False) -> Callable[[_Function], _Function]:
        """Register a callable that a replay may call with keyword arguments; `BadInput` when the name is taken.

        `reads` says that a call changes nothing outside, and may be made again where its contract does not say so.
        """
        if name in self._tools:
            raise BadInput(f"a tool {name!r} is registered already")
        if not isinstance(reads, bool):
            raise BadInput(f"reads of the tool {name!r} is true or false, not {reads!r}")

        def register(function: _Function) -> _Function:
            self._tools[name] = function
            if reads:
                self._reading.add(name)
            return function

        return register

    @overload
    def runner(self, function: _Runner, *, reads: bool | Collection[str] = ...) -> _Runner: ...

    @overload
    def runner(self, function: None = None, *, reads: bool | Collection[str]) -> Callable[[_Runner], _Runner]: ...

    def runner(self, function: Any = None, *, reads: bool | Collection[str] = ()) -> Any:
        """Register a callable `(tool, arguments)` that replays call tools through; the first that has a tool is it.

        `reads` says which of its tools only read, by name, or True for all; a runner with a method `reads(tool)` says
        it itself. Without a function, returns a decorator. Raises `BadInput` for `reads` that is one name.
        """
        if isinstance(reads, str):
            raise BadInput(f"reads of a runner is true or the names of its tools, not one string: [{reads!r}]")
        if function is None:
            return lambda decorated: self.runner(decorated, reads=reads)
        if reads is False or (reads is not True and not reads):
            self._runners.append(function)
        else:
            from .tools import ReadingRunner

            self._runners.append(ReadingRunner(function, None if reads is True else frozenset(reads)))
        return function

    def find(self, name: str | None) -> Operator | None:
        """Return the operator of this name, or None; raises `ImportError` where a built-in one cannot be imported."""
        with self._lock:
            if name in self._to_import:
                module = import_module(f"...builtin.{self._to_import[name]}", __name__)
                del self._to_import[name]
                module.register(self)
            return None if name is None else self._operators.get(name)

    def check_recipe(self, name: str | None, recipe: Any, key: str) -> None:
        """Raise `BadInput`, naming key, operator and fields, for a recipe (parsed JSON) that the operator cannot read.

        Nothing is checked for an operator that is not known here, or that cannot be imported here.
        """
        try:
            operator = self.find(name)
        except ImportError:
            return
        if operator is not None and operator.recipe is not None:
            parse_recipe(operator.recipe, recipe, f"the recipe of {key} for {operator.name}")

    def able(self, name: str) -> bool:
        """Return whether an operator is known here and has all that it needs."""
        operator = self.find(name)
        return operator is not None and not operator.lacks

    def names(self) -> tuple[str, ...]:
        """Return the names of the operators, sorted."""
        with self._lock:
            return tuple(sorted(self._operators.keys() | self._to_import.keys()))

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by name, as they are now and will be."""
        return MappingProxyType(self._tools)

    @property
    def reading_tools(self) -> frozenset[str]:
        """The tools that were registered with `reads=True`."""
        return frozenset(self._reading)

    @property
    def runners(self) -> tuple[ToolRunner, ...]:
        """The functions of `tool` as one runner, then those of `runner` in the order of their coming."""
        from .tools import RegisteredTools

        return RegisteredTools(self._tools, self._reading), *self._runners

    def __iter__(self) -> Iterator[Operator]:
        return (operator for name in self.names() if (operator := self.find(name)) is not None)

    def __len__(self) -> int:
        return len(self.names())

    def __contains__(self, name: object) -> bool:
        with self._lock:
            return name in self._operators or name in self._to_import


def _known_mode(name: str, mode: Mode | str) -> Mode:
    modes = [known.value for known in Mode if known is not Mode.REMOVE]
    if mode not in modes:
        raise BadInput(f"the mode of {name} is one of {', '.join(modes)}, not {str(mode)!r}")
    return Mode(mode)


def _known_need(name: str, support: SupportNeed | str) -> SupportNeed:
    needs = [need.value for need in SupportNeed]
    if support not in needs:
        raise BadInput(f"the support of {name} is one of {', '.join(needs)}, not {str(support)!r}")
    return SupportNeed(support)


def _known_kind(name: str, kind: Kind | Arch | str) -> Kind | Arch:
    all_kinds: tuple[Kind | Arch, ...] = (*Kind, *Arch)
    for known in all_kinds:
        if kind == known and known is not Kind.RECORD:
            return known
    kinds = ", ".join(known.value for known in all_kinds if known is not Kind.RECORD)
    raise BadInput(f"what {name} is made for is of {kinds}; not {str(kind)!r}")


def _check_limits(name: str, timeout: float, retries: int, memory: int | None) -> None:
    if not (isfinite(timeout) and timeout > 0):
        raise BadInput(f"the time limit of {name} is a number of seconds above 0, not {timeout!r}")
    if retries < 0:
        raise BadInput(f"the retries of {name} are a number from 0 on, not {retries!r}")
    if memory is not None and memory < 1:
        raise BadInput(f"the memory limit of {name} is a number of MiB from 1 on, not {memory!r}")


def _first_line(function: Callable[..., Any]) -> str:
    lines = (function.__doc__ or "").strip().splitlines()
    return lines[0].strip() if lines else ""


__all__ = ["Cost", "Operator", "Registry", "Run", "Tool", "Validator"]
