"""Pictures of operators, and of what one made in a try.

The law of the room: values in, something to print out; every text of the memory goes through `words`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from .tables import indented, table, words

if TYPE_CHECKING:
    from ...model.dry_run import DryRun
    from ...operators.protocol.registry import Operator, Registry

LINES = 40
"""Lines of a content that a person gets; `--json` has all."""


def operators_json(registry: Registry) -> dict[str, Any]:
    """The operators and tools of a registry in JSON."""
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
            }
            for operator in registry
        ],
        "tools": sorted(registry.tools),
    }


def render_operators(registry: Registry) -> Group:
    """The operators of a registry, and its tools."""
    made = table("operator", "for", "mode", "support", "needs", last="what it does")
    for operator in registry:
        kinds = ", ".join(operator.kinds) or "any"
        made.add_row(
            words(operator.name, "dim" if operator.lacks else ""),
            words(kinds),
            words(operator.mode),
            words(operator.support),
            _needs(operator),
            words(operator.description),
        )
    lacking = [words(f"{one.name} {one.lacks}", "yellow") for one in registry if one.lacks]
    tools = ", ".join(sorted(registry.tools))
    told = [words(f"Tools that a replay may call: {tools}")] if tools else []
    return Group(made, *([Text(), *lacking] if lacking else []), *told)


def render_rehearsal(tried: DryRun) -> Group:
    """What an operator made, and what each check said of it."""
    verdict = Text("would be put back", "green") if tried.outcome == "passes" else words(tried.outcome, "red")
    head = Text.assemble(
        words(tried.operator, "bold"), " on ", words(tried.key, "bold"), ": ", verdict, "; nothing is written."
    )
    facts = f"{tried.spent:.0f} tokens spent, {tried.estimate:.0f} were estimated; {tried.seconds:.2f} s"
    parts: list[RenderableType] = [head, words(facts, "dim")]
    if tried.checks:
        made = table("", "check", last="what it says")
        for check in tried.checks:
            mark = Text("✓", "green") if check.ok else Text("✗", "red")
            said = ", ".join(
                part for part in (check.reason, *(f"{name} {value}" for name, value in _shown(check))) if part
            )
            made.add_row(mark, words(check.check), words(said))
        parts.append(indented(made))
    elif tried.reason:
        parts.append(indented(words(tried.reason, "red")))
    if tried.same:
        parts += [Text(), words("The same as what is in service.", "dim")]
    elif tried.content is not None:
        lines = tried.content.splitlines()
        more = (
            [words(f"… and {len(lines) - LINES} more lines; --json has them all", "dim")] if len(lines) > LINES else []
        )
        parts += [indented(words("\n".join(lines[:LINES]))), *more]
    return Group(*parts)


def _shown(check: Any) -> list[tuple[str, str]]:
    return [(name, value) for name, value in (("saw", check.saw), ("wanted", check.wanted)) if value]


def _needs(operator: Operator) -> Text:
    if not operator.needs:
        return Text("")
    return words(operator.extra or ", ".join(operator.needs), "yellow" if operator.lacks else "")


def _name(check: Any) -> str:
    return str(getattr(check, "__name__", type(check).__name__))
