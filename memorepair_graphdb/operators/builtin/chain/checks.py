"""Holds the checks that a chain must pass before it is published, each under its own name."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from ....model.content import canonical_json
from ...checks.repeatability import first_difference
from ...contracts.schemas import Contracts
from ...protocol.context import Context
from ...protocol.verdict import Review, Verdict, excerpt
from .descriptions import changed_descriptions
from .equivalence import first_meaning_change
from .names import function_names
from .parsing import bound_names, parse, stray_fault, tree_of
from .recipe import RecordedRun, skill_of
from .recorded_runs import Current, LeftOut, Replay, current_responses
from .sample_inputs import answer_from_schemas, sample_arguments
from .sandbox import Run, Sandbox
from .stubs import stubs, typed_view
from .tool_host import Answer, ChainFailed, ContractViolation


class ChainChecks:
    """Checks a chain in a sandbox; `all` has the checks in their order."""

    def __init__(self, sandbox: Callable[[], Sandbox]) -> None:
        self._sandbox = sandbox

    def all(self) -> tuple[Callable[[Review, str], Verdict], ...]:
        """Return the checks, the cheapest first."""
        static, runs = (
            (self.parses, self.known_tools, self.kept),
            (self.dry_run, self.recorded_runs, self.same_result),
        )
        return (*static, self.types, *runs)

    def parses(self, review: Review, content: str) -> Verdict:
        """It is Python of at most `SOURCE_BYTES`, and defines `chain(…)` once."""
        return _verdict("parses", lambda: (parse(content), "")[1], _short(content), "Python with one def chain")

    def known_tools(self, review: Review, content: str) -> Verdict:
        """It calls tools in force, by their own names, and nothing else that it does not define."""
        tree, functions = tree_of(content), function_names(skill_of(review.context).new)
        calls = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        unknown = sorted(calls - functions.keys() - bound_names(tree) - set(dir(builtins)))
        fault = f"calls {', '.join(unknown)}, no tool in force" if unknown else stray_fault(tree, functions)
        saw, wanted = f"calls of {', '.join(sorted(calls))}", f"calls of {', '.join(sorted(functions))}"
        return _verdict("known_tools", lambda: fault, saw, wanted)

    def kept(self, review: Review, content: str) -> Verdict:
        """It is the program that it succeeds, but for what the contracts changed in its calls and fields.

        Where it passes, it names the parameters that are described in other words now, for a person to judge.
        """
        previous, skill = review.context.previous, skill_of(review.context)
        if previous is None:
            return Verdict.not_applicable("kept", "there is no program before it to compare with")
        change = first_meaning_change(previous, content, skill)
        if change is None:
            changed = changed_descriptions(previous, skill)
            return Verdict(True, "kept", f"described in other words now: {', '.join(changed)}" if changed else "")
        reason = "it is another program than the one it succeeds"
        return Verdict(False, "kept", reason, _short(change.now), _short(change.before))

    def types(self, review: Review, content: str) -> Verdict:
        """Its calls and the fields it reads fit the stubs of the contracts in force."""
        contracts = skill_of(review.context).new
        fault = self._sandbox().type_fault(typed_view(content, contracts), stubs(contracts))
        saw = _short(_line_of(fault, content))
        return _verdict("types", lambda: fault, saw, f"what the contracts of {', '.join(contracts)} document")

    def dry_run(self, review: Review, content: str) -> Verdict:
        """It runs where every tool answers with an example of its schema; it is not judged where the old one fails."""
        skill, previous = skill_of(review.context), review.context.previous
        arguments = skill.recorded[0].arguments if skill.recorded else sample_arguments(content, skill.new)
        try:
            self._run(content, arguments, skill.new, answer_from_schemas(skill.new))
        except ChainFailed as error:
            violates = isinstance(error, ContractViolation)
            if not violates and previous is not None and not self._succeeds(previous, arguments, skill.old):
                return Verdict.not_applicable("dry_run", f"the program before it gives no result either: {error}")
            wanted = "a result where every tool answers with an example of its schema"
            return Verdict(False, "dry_run", str(error), f"chain(**{_short(arguments)})", wanted)
        return Verdict(True, "dry_run")

    def recorded_runs(self, review: Review, content: str) -> Verdict:
        """It still runs where it ran: with the arguments that were recorded, on responses that are current."""
        replayed = 0
        for run, replay in self._replays(review.context, current_responses(review.context)):
            replayed += 1
            try:
                self._rerun(review, content, run, replay)
            except ChainFailed as error:
                saw = f"chain(**{_short(run.arguments)})"
                return Verdict(False, "recorded_runs", str(error), saw, "a result on current responses")
        return Verdict(True, "recorded_runs") if replayed else _nothing_recorded("recorded_runs", review.context)

    def same_result(self, review: Review, content: str) -> Verdict:
        """On the responses that were recorded, in the new contract's words, its result is the recorded one."""
        replayed = 0
        for run, replay in self._replays(review.context, {}):
            replayed += 1
            try:
                result = self._rerun(review, content, run, replay).result
            except ChainFailed as error:
                return Verdict(False, "same_result", str(error), "no result", _short(run.result))
            if fault := first_difference(run.result, result):
                return Verdict(False, "same_result", fault, _short(result), _short(run.result))
        return Verdict(True, "same_result") if replayed else _nothing_recorded("same_result", review.context)

    def _replays(self, context: Context, current: Current) -> Iterator[tuple[RecordedRun, Replay]]:
        skill = skill_of(context)
        for run in skill.recorded:
            with suppress(LeftOut):
                yield run, Replay(skill, run, current)

    def _rerun(self, review: Review, content: str, run: RecordedRun, replay: Replay) -> Run:
        return self._run(content, run.arguments, skill_of(review.context).new, replay.answer)

    def _succeeds(self, source: str, arguments: dict[str, Any], contracts: Contracts) -> bool:
        try:
            self._run(source, arguments, contracts, answer_from_schemas(contracts))
        except ChainFailed:
            return False
        return True

    def _run(self, source: str, arguments: dict[str, Any], contracts: Contracts, answer: Answer) -> Run:
        return self._sandbox().run(source, arguments, contracts, answer)


def _nothing_recorded(check: str, context: Context) -> Verdict:
    """Return the verdict where no recorded run could be replayed, and whether there was any."""
    runs = len(skill_of(context).recorded)
    return Verdict.not_applicable(
        check,
        f"none of the {runs} recorded runs can be replayed on current contracts" if runs else "no run is recorded",
    )


def _verdict(check: str, judge: Callable[[], str], saw: str, wanted: str) -> Verdict:
    """Return the verdict of a check whose `judge` returns a fault, or "", or raises `ChainFailed`."""
    try:
        fault = judge()
    except ChainFailed as error:
        fault = str(error)
    return Verdict(False, check, fault, saw, wanted) if fault else Verdict(True, check)


def _line_of(fault: str, source: str) -> str:
    """Return the line that the type checker names."""
    location = re.match(r"main\.py:(\d+):", fault)
    lines = source.splitlines()
    return lines[int(location[1]) - 1].strip() if location and int(location[1]) <= len(lines) else ""


def _short(value: Any) -> str:
    """Return a value as an excerpt: text as it is, all else as JSON."""
    text = value if isinstance(value, str) else canonical_json(value)
    return excerpt(text)
