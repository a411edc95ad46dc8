"""The acts of the demo: each does something to the memory, and tells what came of it.

The law of the room: every sentence is about what was just done, and every figure comes from the graph.
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
from ..render.tables import indented, render_check, render_plan, render_report, words
from . import scenario
from .statements import PLAIN_SPACE, SPACE

if TYPE_CHECKING:
    from ...api import MemoRepair
    from ...model.event import RepairEvent
    from ...model.report import Hit, Report
    from .servers import DemoServer

Say = Callable[..., None]


def play(stage: DemoServer, say: Say) -> dict[str, Any]:
    """All acts in order; what came of them, in JSON."""
    artifacts = load(stage, say)
    leak = delete_plainly(stage, say)
    plan, barrier, deletion = delete_with_all(stage, say)
    correction = correct(stage, say)
    migration = migrate(stage, say)
    reports = [report.model_dump(mode="json") for report in (deletion, correction, migration)]
    return {
        "artifacts": artifacts,
        "leak": leak,
        "plan": plan,
        "barrier": barrier,
        "reports": reports,
        "check": check(stage, say),
    }


def load(stage: DemoServer, say: Say) -> int:
    """Empty the demo's spaces, and load the same memory into both."""
    stage.forget()
    lines = [json.loads(line) for line in scenario.MEMORY.read_text(encoding="utf-8").splitlines()]
    for space in (PLAIN_SPACE, SPACE):
        with stage.memory("Loading", space) as memory:
            memory.setup()
            memory.load(lines)
    kinds = Counter(line["kind"] for line in lines)
    say(Text(f"A support agent's memory, in a shop for lamps: {len(lines)} artifacts", "bold"))
    say(words(", ".join(f"{n} of kind {kind}" for kind, n in kinds.items())))
    return len(lines)


def delete_plainly(stage: DemoServer, say: Say) -> dict[str, Any]:
    """Delete one record as a store without provenance does, and look for it."""
    stage.plain_delete(scenario.MESSAGE)
    with stage.memory("Searching", PLAIN_SPACE) as memory:
        hits, answer = memory.search(scenario.CUSTOMER, k=4), memory.get(scenario.HER_ANSWER)
    said = answer.content if answer else None
    _head(say, "1  A plain delete leaks")
    say(Text(f"{scenario.CUSTOMER} wrote in once, and asks to be forgotten. Her message is deleted."))
    say(Text("A search for her still finds:"))
    say(indented(render_hits(hits)))
    say(Text("\nand the cached answer on her order still says:"))
    say(words(f"  {said}", "yellow"))
    return {"search": _keys(hits), "answer": said}


def delete_with_all(stage: DemoServer, say: Say) -> tuple[dict[str, Any], dict[str, Any], Report]:
    """The same delete as an event: preview, barrier, repair."""
    _head(say, "2  The same delete, as a repair event")
    with stage.memory("Planning") as memory:
        plan = memory.preview(scenario.FORGET_HER)
    say(render_plan(plan))
    with stage.memory("Withdrawing") as memory:
        before = _text(memory, scenario.COUNT)
        withdrawn = memory.withdraw(scenario.FORGET_HER)
        hits, answer = memory.search(scenario.CUSTOMER), memory.get(scenario.HER_ANSWER)
    say(Text(f"\nThe barrier: {withdrawn.affected} artifacts left service in one transaction, before any repair."))
    say(_found(hits))
    said = answer.content if answer else None
    say(
        Text.assemble(
            "The cached answer on her order: ", (said or "out of service.", "green" if said is None else "red")
        )
    )
    with stage.memory("Repairing") as memory:
        report = memory.resume(scenario.FORGET_HER.id)
        hits, after = memory.search(scenario.CUSTOMER), _text(memory, scenario.COUNT)
        waiting = memory.why(scenario.WAITING)
    say(_outcomes(report))
    say(_found(hits))
    _changed(say, f"{scenario.COUNT}, computed again:", before, after)
    say(Text(f"\n`memorepair why {scenario.WAITING}` says:"), indented(render_why(waiting)))
    barrier = {"affected": withdrawn.affected, "search": _keys(hits), "answer": said}
    return plan.model_dump(mode="json"), barrier, report


def correct(stage: DemoServer, say: Say) -> Report:
    """Correct a policy, and ask what follows from it."""
    _head(say, "3  A correction")
    say(Text("A lamp can be returned within 60 days now, not 30."))
    before, report, after = _repair(stage, scenario.LONGER_RETURNS, scenario.RETURNS)
    say(_outcomes(report))
    _changed(say, f"{scenario.RETURNS}, computed again:", before, after)
    return report


def migrate(stage: DemoServer, say: Say) -> Report:
    """Put a new contract in force and retire another, and look at a skill that uses it."""
    _head(say, "4  A migration")
    say(Text("The tool orders_get asks for an order_number now, and fax_send is retired."))
    before, report, after = _repair(stage, scenario.NEW_INTERFACE, scenario.NOTE)
    say(_outcomes(report))
    _changed(say, f"{scenario.NOTE}, written again from the contract in force:", _call(before), _call(after))
    return report


def check(stage: DemoServer, say: Say) -> dict[str, Any]:
    """Check every invariant of the repaired space."""
    with stage.memory("Checking") as memory:
        report = memory.check()
    _head(say, "5  Check")
    say(render_check(report))
    return report.model_dump(mode="json")


def _repair(stage: DemoServer, event: RepairEvent, asked: str) -> tuple[str, Report, str]:
    """Repair, and what a key says before and after."""
    with stage.memory("Repairing") as memory:
        before = _text(memory, asked)
        report = memory.repair(event)
        return before, report, _text(memory, asked)


def _head(say: Say, title: str) -> None:
    say(Text(f"\n{title}\n", "bold underline"))


def _outcomes(report: Report) -> RenderableType:
    """The report between blank lines, without its notes, which the demo tells once at its end."""
    return Padding(render_report(report.model_copy(update={"notes": ()})), (1, 0), expand=False)


def _changed(say: Say, what: str, before: str, after: str) -> None:
    say(words(what))
    say(Text.assemble("  ", words(before, "yellow"), "\n  ", words(after, "green")))


def _found(hits: tuple[Hit, ...]) -> RenderableType:
    """What a search for the customer finds."""
    asked = Text(f"A search for {scenario.CUSTOMER} finds: ")
    return Group(asked, indented(render_hits(hits))) if hits else asked.append("nothing.", "green")


def _keys(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.artifact.key for hit in hits]


def _text(memory: MemoRepair, key: str) -> str:
    """What is in service under a key."""
    found = memory.get(key)
    return "(out of service)" if found is None or found.content is None else found.content


def _call(note: str) -> str:
    """The example call in a tool note."""
    return next((line.strip() for line in note.splitlines() if line.startswith("    {")), note)
