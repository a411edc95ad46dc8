"""Draws what happens to the memory from a seed: users leave, responses turn out wrong, contracts migrate.

The same memory, directory and seed give the same events; contracts change as real ones did.
"""

from __future__ import annotations

import copy
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from ....errors import BadInput
from ....model.event import RepairEvent
from ...workloads.derivation import Line
from ...workloads.toolbench import users

MIGRATIONS = ("stripe_breaking_events.jsonl.gz", "twilio_breaking_events.jsonl.gz")
RETIRED = "op_removed"


def deletions(lines: list[Line], count: int, random: Random) -> Iterator[RepairEvent]:
    """Yield one event for each of `count` users: all that the user asked."""
    asked = users(lines)
    for user in random.sample(sorted(asked), count):
        yield RepairEvent.delete(asked[user], reason=f"the user {user} asked to be forgotten")


def corrections(lines: list[Line], count: int, random: Random) -> Iterator[RepairEvent]:
    """One event for each of `count` responses: another real one of its API, else the same with one leaf changed."""
    said = {line["key"]: line["content"] for line in lines if line["key"].startswith("resp/")}
    by_api: dict[str, list[str]] = {}
    for key in said:
        by_api.setdefault(key.rpartition("/")[0], []).append(key)
    for key in random.sample(sorted(said), count):
        others = [said[other] for other in by_api[key.rpartition("/")[0]] if said[other] != said[key]]
        yield RepairEvent.correct({key: random.choice(others) if others else edited(said[key], random)})


def migrations(lines: list[Line], count: int, random: Random, directory: Path) -> Iterator[RepairEvent]:
    """Yield one event for each of `count` contracts: each changes as one of the real migrations in `directory` did.

    The contracts are those that most chains rest on: most rest on one or two, and half of the real changes end a tool.
    """
    contracts = {line["key"]: line["content"] for line in lines if "tool" in line}
    chains = Counter(
        edge["key"] for line in lines if line.get("arch") == "chain" for edge in line.get("influenced_by", ())
    )
    real = real_changes(directory)
    for key in sorted(contracts, key=lambda key: (-chains[key], key))[:count]:
        yield RepairEvent.migrate({key: migrated(contracts[key], random.choice(real), random)})


def real_changes(directory: Path) -> list[tuple[str, ...]]:
    """Return the kinds of change in each of the 1,221 real migrations.

    Raises `BadInput` where the files are not there.
    """
    found: list[tuple[str, ...]] = []
    for name in MIGRATIONS:
        try:
            text = gzip.decompress((directory / name).read_bytes()).decode()
        except OSError as error:
            raise BadInput(f"{directory} has no {name}: {error}") from error
        changes = (json.loads(line)["change"] for line in text.splitlines())
        found += ((change,) if isinstance(change, str) else tuple(kind for kind, _ in change) for change in changes)
    return found


def migrated(contract: dict[str, Any], changes: tuple[str, ...], random: Random) -> dict[str, Any] | None:
    """Return the contract after these kinds of change, None where it is retired.

    What it has nothing of stays as it is.
    """
    if RETIRED in changes:
        return None
    made = copy.deepcopy(contract)
    takes, gives = made["inputSchema"], made.get("outputSchema") or {}
    parameters, fields = takes.setdefault("properties", {}), gives.get("properties", {})
    required = takes.setdefault("required", [])
    for place, change in enumerate(changes):
        match change:
            case "param_removed" if parameters:
                gone = random.choice(sorted(parameters))
                del parameters[gone]
                takes["required"] = required = [name for name in required if name != gone]
            case "new_required_param":
                parameters[f"account_{place}"] = {"type": "string", "description": "the account that is charged"}
                required.append(f"account_{place}")
            case "param_now_required" if set(parameters) - set(required):
                required.append(random.choice(sorted(set(parameters) - set(required))))
            case "response_field_removed" if fields:
                del fields[random.choice(sorted(fields))]
            case "response_type_changed" if fields:
                name = random.choice(sorted(fields))
                fields[name] = {"type": "string"} if fields[name].get("type") != "string" else {"type": "object"}
    return made


def edited(content: Any, random: Random) -> Any:
    """Return the content with one leaf changed, or a text with a word added."""
    made = copy.deepcopy(content)
    places = list(_leaves(made))
    if not places:
        return f"{content} (corrected)" if isinstance(content, str) else {"corrected": True}
    holder, key = random.choice(places)
    value = holder[key]
    holder[key] = (
        value + 1 if isinstance(value, int | float) and not isinstance(value, bool) else f"{value} (corrected)"
    )
    return made


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield where the texts and numbers of a JSON value stand."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in entries:
        if isinstance(one, str | int | float) and not isinstance(one, bool):
            yield value, key
        else:
            yield from _leaves(one)
