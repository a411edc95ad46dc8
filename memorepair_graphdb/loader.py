"""Loads a file of artifacts: checked whole before anything is written, in batches, repeatable.

The law of the room: parents go before children; a line that is here already, in any state, is skipped and counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import BadInput
from .model.report import LoadReport
from .model.wire import Line, read_line
from .repair.workshop import batches
from .store import loading, schema
from .store.plans import BATCH

if TYPE_CHECKING:
    from .repair.workshop import Workshop
    from .store.loading import Known

Lines = str | Path | Iterable[str | bytes | dict[str, Any]]

FAULTS_SHOWN = 20
_KNOWN_BATCH = 5_000


def load(shop: Workshop, lines: Lines) -> LoadReport:
    """Load; raises `BadInput` naming lines, with nothing written, or `Refused` when another writer came between."""
    read = _read(lines)
    known = _known(shop, read)
    new = [line for line in read if not _is_here(shop, line, known)]
    _check(shop, read, new, known)
    order, circles = _ordered(new)
    new_by_key = {line.draft.key: line for line in new}
    written = 0
    for part in _parts(order):
        drafts = [new_by_key[key].draft for key in part]
        written += shop.db.write(loading.load, shop.space, drafts, shop.tombstone_key)
        shop.progress("load", written, len(new))
    pairs = [(line.draft.key, key, score) for line in new for key, score in line.near]
    linked = sum(shop.db.write(loading.near, shop.space, part) for part in batches(pairs, BATCH))
    return LoadReport(
        created=written,
        skipped=len(read) - len(new),
        linked=linked,
        warnings=tuple(f"influence goes in a circle through {', '.join(c[:5])}: legal, never rebuilt" for c in circles),
    )


def _read(lines: Lines) -> list[Line]:
    faults: list[str] = []
    read: list[Line] = []
    for number, data in enumerate(_opened(lines), start=1):
        if isinstance(data, str | bytes) and not data.strip():
            continue
        try:
            read.append(read_line(data, number))
        except BadInput as error:
            faults.append(str(error))
    faults += _twice(read, "key")
    faults += _twice(read, "tool")
    _raise(faults)
    return read


def _opened(lines: Lines) -> Iterator[str | bytes | dict[str, Any]]:
    if isinstance(lines, str | Path):
        try:
            with Path(lines).open("rb") as file:
                yield from file
        except OSError as error:
            raise BadInput(f"cannot read {lines}: {error.strerror}") from error
    else:
        yield from lines


def _twice(read: Sequence[Line], field: str) -> list[str]:
    seen: dict[str, int] = {}
    faults = []
    for line in read:
        name = getattr(line.draft, field)
        if name is not None and seen.setdefault(name, line.number) != line.number:
            faults.append(f"line {line.number}: {field} {name} stands on line {seen[name]} already")
    return faults


def _known(shop: Workshop, read: Sequence[Line]) -> dict[str, list[Known]]:
    keys = {line.draft.key for line in read}
    keys |= {source.ref for line in read for source in line.draft.sources} | {
        key for line in read for key, _ in line.near
    }
    found: dict[str, list[Known]] = {}
    for part in batches(sorted(keys), _KNOWN_BATCH):
        found |= shop.db.read(loading.known, shop.space, part)
    return found


def _is_here(shop: Workshop, line: Line, known: dict[str, list[Known]]) -> bool:
    return any(version.says(line.draft, shop.tombstone_key) for version in known.get(line.draft.key, ()))


def _check(shop: Workshop, read: Sequence[Line], new: Sequence[Line], known: dict[str, list[Known]]) -> None:
    coming = {line.draft.key for line in new}
    visible = {key for key, versions in known.items() if any(version.state == "Visible" for version in versions)}
    faults = []
    for line in new:
        if line.draft.key in visible:
            faults.append(
                f"line {line.number}: {line.draft.key} is in service with another content or other sources: "
                "use correct, or migrate for a contract"
            )
        named = [("source", source.ref) for source in line.draft.sources] + [("near", key) for key, _ in line.near]
        for what, key in named:
            if key not in coming and key not in visible:
                state = "is out of service" if key in known else "is unknown in this space"
                faults.append(f"line {line.number}: {line.draft.key} names {what} {key}, which {state}")
    _raise(faults)
    _check_embeddings(shop, new)


def _check_embeddings(shop: Workshop, new: Sequence[Line]) -> None:
    lengths = Counter(len(line.draft.embedding) for line in new if line.draft.embedding)
    if not lengths:
        return
    usual = lengths.most_common(1)[0][0]
    odd = [line for line in new if line.draft.embedding and len(line.draft.embedding) != usual]
    _raise(
        [
            f"line {line.number}: its embedding has {len(line.draft.embedding or ())} numbers, not {usual}"
            for line in odd
        ]
    )
    if not shop.db.read(schema.check_dimensions, usual):
        shop.db.write(schema.declare_embedding, usual)


def _raise(faults: Sequence[str]) -> None:
    if faults:
        more = f"\n… and {len(faults) - FAULTS_SHOWN} more" if len(faults) > FAULTS_SHOWN else ""
        raise BadInput("nothing was loaded:\n" + "\n".join(faults[:FAULTS_SHOWN]) + more)


def _ordered(new: Sequence[Line]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Keys, sources first, those on a circle together; and the circles."""
    keys = {line.draft.key for line in new}
    needs = {line.draft.key: {s.ref for s in line.draft.sources if s.ref in keys} for line in new}
    member = {key: key for key in needs}
    members: dict[str, list[str]] = {key: [key] for key in needs}
    while True:
        merged: dict[str, set[str]] = defaultdict(set)
        for key, sources in needs.items():
            merged[member[key]] |= {member[source] for source in sources} - {member[key]}
        try:
            order = [tuple(members[name]) for name in TopologicalSorter(merged).static_order()]
        except CycleError as error:
            first, *others = dict.fromkeys(error.args[1])
            for name in others:
                for key in members.pop(name):
                    member[key] = first
                    members[first].append(key)
        else:
            return order, [group for group in order if len(group) > 1]


def _parts(order: Sequence[tuple[str, ...]]) -> Iterator[list[str]]:
    """Batches of keys; a circle is never cut."""
    part: list[str] = []
    for group in order:
        if part and len(part) + len(group) > BATCH:
            yield part
            part = []
        part += group
    if part:
        yield part
