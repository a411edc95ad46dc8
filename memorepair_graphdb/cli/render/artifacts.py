"""Renders single artifacts, the answer of `why`, and search results.

What is out of service says so before anything else of it is printed.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from .text import indent, open_table, style_outcome, words

if TYPE_CHECKING:
    from ...model.artifact import Artifact
    from ...model.report import Hit, KeyPage, Why

EXCERPT = 240
"""characters of a search result that a person gets"""

STATES = {"Visible": "green", "Withdrawn": "red", "Staged": "blue", "Retired": "dim"}


def artifact_json(artifact: Artifact) -> dict[str, Any]:
    """Return an artifact in JSON: blob and embedding as their sizes."""
    fields = artifact.model_dump(mode="json", exclude={"blob", "embedding"})
    return {**fields, "blob_bytes": len(artifact.blob or b""), "dimensions": len(artifact.embedding or ())}


def version_json(artifact: Artifact, *, history: bool) -> dict[str, Any]:
    """Return a version in JSON; its text only with `history`, so that asking twice brings no withdrawn text."""
    fields = artifact_json(artifact)
    return (
        fields if history else {name: fields[name] for name in ("id", "version", "state", "created_at", "published_at")}
    )


def render_show(key: str, versions: Sequence[Artifact], *, history: bool) -> Group:
    """Render the version in service, or that there is none; with `history` every version's text."""
    live = next((version for version in versions if version.visible), None)
    parts: list[RenderableType] = []
    if live is None:
        parts.append(Text.assemble(words(key, "bold"), " is ", ("out of service", "red"), "."))
        hint = f"`memorepair why {key}` says why; --history shows what it said."
        parts += [] if history else [words(hint, "dim")]
    for version in versions if history else [live] if live else []:
        parts += [
            *_head(version),
            *_faults(version.faults),
            indent(words(version.content if version.content is not None else "(erased)")),
            Text(),
        ]
    if len(versions) > 1 and not history:
        parts.append(_versions([{"id": v.id, "version": v.version, "state": v.state} for v in versions]))
    return Group(*parts)


def _head(artifact: Artifact) -> list[Text]:
    kind = f"{artifact.arch} {artifact.kind}" if artifact.arch else str(artifact.kind)
    about = [
        f"by {artifact.operator}" if artifact.operator else "",
        f"contract of {artifact.tool}" if artifact.tool else "",
    ]
    about += [f"{len(artifact.blob)} bytes beside it" if artifact.blob else ""]
    about += [f"{len(artifact.embedding)} dimensions" if artifact.embedding else ""]
    first = Text.assemble(
        words(artifact.key, "bold"), f" (version {artifact.version or '–'}) is ", _state(artifact.state)
    )
    return [first, words(" · ".join(filter(None, [kind, *about, artifact.id])), "dim")]


def _faults(faults: Sequence[str]) -> list[Text]:
    return [words(f"It {fault}.", "red") for fault in faults]


def _state(name: object) -> Text:
    return words(name, STATES.get(str(name), ""))


def _versions(rows: Sequence[dict[str, Any]]) -> RenderableType:
    table = open_table("version", "state", last="id", right=("version",))
    for row in rows:
        table.add_row(str(row["version"] or "–"), _state(row["state"]), words(row["id"], "dim"))
    return table


def render_why(why: Why) -> Group:
    """Render the answer in a line, the way from the root, the sources, the versions."""
    parts: list[RenderableType] = [words(f"{why.sentence}.", "bold"), *_faults(why.faults)]
    if len(why.path) > 1:
        parts.append(Text.assemble("from the root: ", words(" → ".join(why.path))))
    if why.outcome is not None:
        parts.append(Text.assemble("outcome: ", style_outcome(why.outcome)))
    if why.sources:
        table = open_table("source", "state", "role", last="required")
        for source in why.sources:
            need = source.get("required")
            table.add_row(
                words(source["key"]),
                _state(source["state"]),
                words(source.get("role") or ""),
                words("as its operator declares" if need is None else str(need).lower()),
            )
        parts.append(indent(table))
    if len(why.versions) > 1:
        parts.append(indent(_versions(why.versions)))
    return Group(*parts)


def render_metadata(artifact: Artifact) -> RenderableType:
    """Render which metadata an artifact has now."""
    if artifact.metadata is None:
        return words(f"{artifact.key} has no metadata.")
    return words(f"{artifact.key} has the metadata {json.dumps(artifact.metadata, ensure_ascii=False)}.")


def render_keys(page: KeyPage) -> RenderableType:
    """Render a page of keys, and how to go on."""
    if not page.keys:
        return Text("No key matches.")
    table = open_table("key", "kind", "state", "characters", right=("characters",), last="metadata")
    for line in page.keys:
        kind = f"{line.arch} {line.kind}" if line.arch else str(line.kind)
        about = "" if line.metadata is None else json.dumps(line.metadata, ensure_ascii=False)
        table.add_row(words(line.key), words(kind), _state(line.state), str(line.characters), words(_excerpt(about)))
    more = [words(f"There are more: go on with --after {shlex.quote(page.after)}", "dim")] if page.after else []
    return Group(table, *more)


def _excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT else f"{text[: EXCERPT - 1]}…"


def render_hits(hits: Sequence[Hit]) -> RenderableType:
    """Render search results, best first."""
    if not hits:
        return Text("Nothing in service matches.")
    table = open_table("score", "artifact", "kind", right=("score",), last="text")
    for hit in hits:
        text = _excerpt(" ".join((hit.artifact.content or "").split()))
        excerpt = Group(words(text), *_faults(hit.artifact.faults)) if hit.artifact.faults else words(text)
        table.add_row(f"{hit.score:.2f}", words(hit.artifact.key), words(hit.artifact.kind), excerpt)
    return table
