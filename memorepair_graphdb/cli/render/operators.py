"""Renders operators, and what one made in a dry run.

Each function takes a value and returns what the console prints; every text of the memory goes through `text.words`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from ...model.vocabulary import VerdictState
from .text import indent, open_table, words

if TYPE_CHECKING:
    from ...model.dry_run import DryRun
    from ...operators.protocol.registry import Operator, Registry

LINES = 40
"""Lines of a content that a person gets; `--json` has all."""


def operators_json(registry: Registry) -> dict[str, Any]:
    """Return the operators and tools of a registry in JSON."""
    return {
        "operators": [
            {
                "name": operator.name,
                "kinds": [str(kind) for kind in operator.kinds],
                "mode": str(operator.mode),
                "support": str(operator.support),
                "previous": operator.previous,
                "timeout": operator.timeout,
                "retries": operator.retries,
                "memory_mib": operator.memory,
                "needs": list(operator.needs),
                "extra": operator.extra,
                "lacks": operator.lacks,
                "validators": [_name(check) for check in operator.validators],
                "description": operator.description,
                "recipe": None if operator.recipe is None else operator.recipe.model_json_schema(),
            }
            for operator in registry
        ],
        "tools": sorted(registry.tools),
    }


def render_operators(registry: Registry) -> Group:
    """Render the operators of a registry, and its tools."""
    table = open_table("operator", "for", "mode", "support", "needs", last="what it does")
    for operator in registry:
        kinds = ", ".join(operator.kinds) or "any"
        table.add_row(
            words(operator.name, "dim" if operator.lacks else ""),
            words(kinds),
            words(operator.mode),
            words(operator.support),
            _needs(operator),
            words(operator.description),
        )
    lacking = [words(f"{operator.name} {operator.lacks}", "yellow") for operator in registry if operator.lacks]
    tools = ", ".join(sorted(registry.tools))
    tool_line = [words(f"Tools that a replay may call: {tools}")] if tools else []
    return Group(table, *([Text(), *lacking] if lacking else []), *tool_line)


_MARKS = {
    VerdictState.OK: Text("✓", "green"),
    VerdictState.FAILED: Text("✗", "red"),
    VerdictState.NOT_APPLICABLE: Text("–", "dim"),
}
"""of what a check says"""


def render_dry_run(dry_run: DryRun) -> Group:
    """Render what an operator made, and what each check said of it."""
    verdict = Text("would be put back", "green") if dry_run.outcome == "passes" else words(dry_run.outcome, "red")
    head = Text.assemble(
        words(dry_run.operator, "bold"), " on ", words(dry_run.key, "bold"), ": ", verdict, "; nothing is written."
    )
    facts = f"{dry_run.spent:.0f} tokens spent, {dry_run.estimate:.0f} were estimated; {dry_run.seconds:.2f} s"
    parts: list[RenderableType] = [head, words(facts, "dim")]
    if dry_run.checks:
        table = open_table("", "check", last="what it says")
        for check in dry_run.checks:
            mark = _MARKS[check.verdict]
            message = ", ".join(
                part for part in (check.reason, *(f"{name} {value}" for name, value in _values(check))) if part
            )
            table.add_row(mark, words(check.check), words(message))
        parts.append(indent(table))
    elif dry_run.reason:
        parts.append(indent(words(dry_run.reason, "red")))
    if dry_run.same:
        parts += [Text(), words("The same as what is in service.", "dim")]
    elif dry_run.content is not None:
        lines = dry_run.content.splitlines()
        more = (
            [words(f"… and {len(lines) - LINES} more lines; --json has them all", "dim")] if len(lines) > LINES else []
        )
        parts += [indent(words("\n".join(lines[:LINES]))), *more]
    return Group(*parts)


def _values(check: Any) -> list[tuple[str, str]]:
    return [(name, value) for name, value in (("saw", check.saw), ("wanted", check.wanted)) if value]


def _needs(operator: Operator) -> Text:
    if not operator.needs:
        return Text("")
    return words(operator.extra or ", ".join(operator.needs), "yellow" if operator.lacks else "")


def _name(check: Any) -> str:
    return str(getattr(check, "__name__", type(check).__name__))
