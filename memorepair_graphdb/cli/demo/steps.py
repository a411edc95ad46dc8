"""Plays the steps of the demo: each does something to the memory, and tells what came of it.

Every figure that is printed comes from the graph.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ..render.artifacts import render_hits, render_why
from ..render.tables import render_check, render_plan, render_report
from ..render.text import indent, words
from . import scenario
from .statements import PLAIN_SPACE, SPACE

if TYPE_CHECKING:
    from ...api import MemoRepair
    from ...model.event import RepairEvent
    from ...model.report import Hit, Report
    from .servers import DemoServer

Say = Callable[..., None]


def play(server: DemoServer, say: Say) -> dict[str, Any]:
    """Play all steps in order; return their results in JSON."""
    artifacts = load(server, say)
    leak = delete_plainly(server, say)
    plan, barrier, deletion = delete_with_all(server, say)
    correction = correct(server, say)
    migration = migrate(server, say)
    reports = [report.model_dump(mode="json") for report in (deletion, correction, migration)]
    return {
        "artifacts": artifacts,
        "leak": leak,
        "plan": plan,
        "barrier": barrier,
        "reports": reports,
        "check": check(server, say),
    }


def load(server: DemoServer, say: Say) -> int:
    """Empty the demo's spaces, and load the same memory into both."""
    server.forget()
    lines = [json.loads(line) for line in scenario.MEMORY.read_text(encoding="utf-8").splitlines()]
    for space in (PLAIN_SPACE, SPACE):
        with server.memory("Loading", space) as memory:
            memory.setup()
            memory.load(lines)
    kinds = Counter(line["kind"] for line in lines)
    say(Text(f"A support agent's memory, in a shop for lamps: {len(lines)} artifacts", "bold"))
    say(words(", ".join(f"{n} of kind {kind}" for kind, n in kinds.items())))
    return len(lines)


def delete_plainly(server: DemoServer, say: Say) -> dict[str, Any]:
    """Delete one record as a store without provenance does, and look for it."""
    server.plain_delete(scenario.MESSAGE)
    with server.memory("Searching", PLAIN_SPACE) as memory:
        hits, answer = memory.search(scenario.CUSTOMER, k=4), memory.get(scenario.HER_ANSWER)
    text = answer.content if answer else None
    _head(say, "1  A plain delete leaks")
    say(Text(f"{scenario.CUSTOMER} wrote in once, and asks to be forgotten. Her message is deleted."))
    say(Text("A search for her still finds:"))
    say(indent(render_hits(hits)))
    say(Text("\nand the cached answer on her order still says:"))
    say(words(f"  {text}", "yellow"))
    return {"search": _keys(hits), "answer": text}


def delete_with_all(server: DemoServer, say: Say) -> tuple[dict[str, Any], dict[str, Any], Report]:
    """Do the same delete as an event: preview, barrier, repair."""
    _head(say, "2  The same delete, as a repair event")
    with server.memory("Planning") as memory:
        plan = memory.preview(scenario.FORGET_HER)
    say(render_plan(plan))
    with server.memory("Withdrawing") as memory:
        before = _text(memory, scenario.COUNT)
        withdrawn = memory.withdraw(scenario.FORGET_HER)
        hits, answer = memory.search(scenario.CUSTOMER), memory.get(scenario.HER_ANSWER)
    say(Text(f"\nThe barrier: {withdrawn.affected} artifacts left service in one transaction, before any repair."))
    say(_render_search(hits))
    text = answer.content if answer else None
    say(
        Text.assemble(
            "The cached answer on her order: ", (text or "out of service.", "green" if text is None else "red")
        )
    )
    with server.memory("Repairing") as memory:
        report = memory.resume(scenario.FORGET_HER.id)
        hits, after = memory.search(scenario.CUSTOMER), _text(memory, scenario.COUNT)
        waiting = memory.why(scenario.WAITING)
    say(_outcomes(report))
    say(_render_search(hits))
    _show_change(say, f"{scenario.COUNT}, computed again:", before, after)
    say(Text(f"\n`memorepair why {scenario.WAITING}` says:"), indent(render_why(waiting)))
    barrier = {"affected": withdrawn.affected, "search": _keys(hits), "answer": text}
    return plan.model_dump(mode="json"), barrier, report


def correct(server: DemoServer, say: Say) -> Report:
    """Correct a policy, and ask what follows from it."""
    _head(say, "3  A correction")
    say(Text("A lamp can be returned within 60 days now, not 30."))
    before, report, after = _repair(server, scenario.LONGER_RETURNS, scenario.RETURNS)
    say(_outcomes(report))
    _show_change(say, f"{scenario.RETURNS}, computed again:", before, after)
    return report


def migrate(server: DemoServer, say: Say) -> Report:
    """Put a new contract in force and retire another, and look at a skill that uses it."""
    _head(say, "4  A migration")
    say(Text("The tool orders_get asks for an order_number now, and fax_send is retired."))
    before, report, after = _repair(server, scenario.NEW_INTERFACE, scenario.NOTE)
    say(_outcomes(report))
    _show_change(say, f"{scenario.NOTE}, written again from the contract in force:", _call(before), _call(after))
    return report


def check(server: DemoServer, say: Say) -> dict[str, Any]:
    """Check every invariant of the repaired space."""
    with server.memory("Checking") as memory:
        report = memory.check()
    _head(say, "5  Check")
    say(render_check(report))
    return report.model_dump(mode="json")


def _repair(server: DemoServer, event: RepairEvent, key: str) -> tuple[str, Report, str]:
    """Repair; return what a key says before, the report, and what the key says after."""
    with server.memory("Repairing") as memory:
        before = _text(memory, key)
        report = memory.repair(event)
        return before, report, _text(memory, key)


def _head(say: Say, title: str) -> None:
    say(Text(f"\n{title}\n", "bold underline"))


def _outcomes(report: Report) -> RenderableType:
    """Render the report between blank lines, without its notes, which the demo tells once at its end."""
    return Padding(render_report(report.model_copy(update={"notes": ()})), (1, 0), expand=False)


def _show_change(say: Say, what: str, before: str, after: str) -> None:
    say(words(what))
    say(Text.assemble("  ", words(before, "yellow"), "\n  ", words(after, "green")))


def _render_search(hits: tuple[Hit, ...]) -> RenderableType:
    """Render what a search for the customer finds."""
    head = Text(f"A search for {scenario.CUSTOMER} finds: ")
    return Group(head, indent(render_hits(hits))) if hits else head.append("nothing.", "green")


def _keys(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.artifact.key for hit in hits]


def _text(memory: MemoRepair, key: str) -> str:
    """Return what is in service under a key."""
    artifact = memory.get(key)
    return "(out of service)" if artifact is None or artifact.content is None else artifact.content


def _call(note: str) -> str:
    """Return the example call in a tool note."""
    return next((line.strip() for line in note.splitlines() if line.startswith("    {")), note)
