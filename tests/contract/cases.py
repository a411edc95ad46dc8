"""Valid parameters for every `.cypher` file, over the seeded space; a new file needs a line here.

`CASES` names every file of the library but schema statements without parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memorepair_graphdb.model.content import content_hash
from memorepair_graphdb.store.queries import library
from tests.contract.seed import CLOSED, ERASED, FAILED, OPEN

if TYPE_CHECKING:
    from tests.contract.seed import Seed

Params = dict[str, Any]

ATTEMPT = 1
"""What the first claim of the open event makes its fencing number."""

DRAFT = "a_" + "d" * 32 + f"_{ATTEMPT}"


def draft(key: str, kind: str = "summary", **more: Any) -> Params:
    """A draft as record, derive and load take it."""
    text = f"what {key} says"
    empty = dict.fromkeys(
        ["id", "arch", "blob", "tombstone", "embedding", "operator", "recipe", "value", "cost", "metadata", "tool"]
    )
    return {**empty, "key": key, "kind": kind, "content": text, "content_hash": content_hash(text), **more}


def _source(ref: str) -> Params:
    return {"ref": ref, "role": "r", "required": True}


def _plan_columns(seed: Seed, *keys: str) -> Params:
    entry = {
        "ids": None,
        "modes": "regen",
        "operators": "digest@1",
        "values": 1.0,
        "costs": 2.0,
        "executable": True,
        "selected": True,
        "outcomes": "pending",
        "reasons": "worth it",
        "predecessors": None,
        "supports": [seed.id_of("fact/5")],
        "levels": 0,
    }
    return {**{name: [one] * len(keys) for name, one in entry.items()}, "ids": [seed.id_of(key) for key in keys]}


def _staged(seed: Seed) -> Params:
    text = "a successor"
    empty = {"blob": None, "embedding": None, "metadata": None, "checks": "[]", "spent": 1.0}
    support = {"id": seed.id_of("fact/5"), "role": "r", "required": None}
    old = seed.id_of("summary/waiting")
    return {
        "id": DRAFT,
        "old": old,
        "content": text,
        "content_hash": content_hash(text),
        **empty,
        "supports": [support],
    }


def _outcome(seed: Seed, key: str) -> Params:
    return {"id": seed.id_of(key), "outcome": "not_selected", "reason": "as told", "checks": None, "spent": 0.0}


def _on_open(seed: Seed, **more: Any) -> Params:
    return {"space": seed.space, "event_id": OPEN, **more}


def _claimed(seed: Seed, **more: Any) -> Params:
    return _on_open(seed, attempt=ATTEMPT, **more)


def _of(seed: Seed, event_id: str) -> Params:
    return {"space": seed.space, "event_id": event_id}


def _sources_of(seed: Seed, event_id: str) -> list[str]:
    with seed.driver.session() as session:
        row = session.run(library()["cascade/of_event"].text, _of(seed, event_id)).single(strict=True)
    sources: list[str] = row["sources"]
    return sources


def _withdraw(seed: Seed) -> Params:
    replacement = {
        "root": "fact/7",
        "id": None,
        "content": "new",
        "content_hash": content_hash("new"),
        "tombstone": None,
    }
    request = {"type": "correct", "roots": ["fact/7"], "replacements": [replacement], "delta": "{}"}
    return {"space": seed.space, "event_id": "event/new", "reason": "a test", "actor": "", **request}


def _done(seed: Seed) -> Params:
    plan: Params = {"plan_id": "a.b", "tradeoff": "0.3", "budget": None, "value_mean": 1.0, "cost_mean": 1.0}
    plan |= {"factor_operators": ["digest@1"], "factors": [1.5]}
    return _claimed(seed, arrivals=0, **plan)


def _published(seed: Seed) -> Params:
    staged = _staged(seed)
    return {"id": DRAFT, "old": staged["old"], "content_hash": staged["content_hash"], "supports": 1}


def _embedded(seed: Seed) -> Params:
    newest = seed.memory.versions("fact/1")[0]
    return {"id": newest.id, "content_hash": newest.content_hash, "embedding": seed.embedding(3.0)}


CASES: dict[str, Callable[[Seed], Params]] = {
    "artifact/derive": lambda s: {"space": s.space, "draft": draft("new"), "sources": [_source(s.id_of("fact/1"))]},
    "artifact/derive_held": lambda s: {
        "space": s.space,
        "draft": draft("late"),
        "sources": [_source(s.id_of("summary/waiting"))],
    },
    "artifact/erase": lambda s: {**_of(s, ERASED), "hashes": []},
    "artifact/forgive": lambda s: {"space": s.space, "ref": "fact/3", "reason": "a test", "actor": ""},
    "artifact/known": lambda s: {"space": s.space, "keys": ["fact/1", "cache/1", "fact/3", "nothing"]},
    "artifact/link": lambda s: {
        "space": s.space,
        "source": "fact/6",
        "target": "cache/1",
        "role": None,
        "required": "any",
    },
    "artifact/load": lambda s: {
        "space": s.space,
        "lines": [
            {**draft("line/1", "record"), "sources": []},
            {**draft("line/2"), "sources": [_source("line/1"), _source("fact/6")]},
        ],
    },
    "artifact/obstacles": lambda s: {
        "space": s.space,
        "lines": [draft("fact/1"), draft("summary/waiting"), draft("new")],
    },
    "artifact/record": lambda s: {"space": s.space, "draft": draft("new", "record", metadata="{}", value=1.0)},
    "artifact/semantic": lambda s: {"space": s.space, "pairs": [{"key": "fact/6", "near": "fact/7", "score": 0.5}]},
    "artifact/set_embedding": lambda s: {**_of(s, CLOSED), **_embedded(s)},
    "artifact/set_metadata": lambda s: {"space": s.space, "ref": "fact/6", "metadata": '{"n":7}'},
    "artifact/to_erase": lambda s: _of(s, CLOSED),
    "barrier/roots": lambda s: {"space": s.space, "roots": ["fact/1", "nothing"]},
    "barrier/gates": lambda s: {"space": s.space},
    "barrier/select": lambda s: {**_of(s, CLOSED), "selection": "a keyed hash"},
    "barrier/selection": lambda s: _of(s, CLOSED),
    "barrier/withdraw": _withdraw,
    "cascade/live_versions": lambda s: {"space": s.space, "keys": ["fact/1", "summary/waiting"]},
    "cascade/of_event": lambda s: _of(s, OPEN),
    "cascade/of_roots": lambda s: {"space": s.space, "roots": ["fact/1", "nothing"]},
    "cascade/sources": lambda s: {"nodes": _sources_of(s, OPEN)},
    "cascade/sizes": lambda s: {"space": s.space, "ids": [s.id_of("fact/1"), s.id_of("cache/1")]},
    "publish/close": _claimed,
    "publish/outcomes": lambda s: _claimed(s, rows=[_outcome(s, "skill/waiting")]),
    "publish/publish": lambda s: _claimed(s, rows=[_published(s)]),
    "publish/remove": lambda s: _claimed(s, ids=[s.id_of("skill/waiting")]),
    "publish/stage": lambda s: _claimed(s, rows=[_staged(s)]),
    "repair/ask": lambda s: _on_open(s, tradeoff="0.5", budget="50%"),
    "repair/claim": lambda s: _on_open(s, owner="host:1", dead_owner="", lease_seconds=60),
    "repair/drawn_plan": lambda s: _of(s, CLOSED),
    "repair/learned": lambda s: {"space": s.space, "events": 50},
    "repair/frequency": lambda s: {"space": s.space, "word": "rain", "most": 3},
    "repair/frequency_within": lambda s: {"space": s.space, "stretch": "rain", "most": 3},
    "repair/interfaces": lambda s: {"space": s.space},
    "repair/replacing_contracts": lambda s: {"space": s.space},
    "repair/contracts_of_tools": lambda s: {"nodes": _sources_of(s, OPEN), "tools": ["weather"]},
    "repair/tools_of_ids": lambda s: {"ids": [s.id_of("fact/5")]},
    "repair/materials": lambda s: {
        "space": s.space,
        "wanted": [{"id": s.id_of("summary/waiting"), "sources": [s.id_of("fact/5")]}],
    },
    "repair/plan_done": _done,
    "repair/plan_columns": lambda s: _claimed(s, **_plan_columns(s, "summary/waiting", "skill/waiting")),
    "repair/previous": lambda s: {"space": s.space, "ids": [s.id_of("summary/waiting")]},
    "repair/renew": lambda s: _claimed(s, lease_seconds=60),
    "repair/replacements": lambda s: _of(s, OPEN),
    "repair/parents": lambda s: {"space": s.space, "ids": [s.id_of("cache/1"), s.id_of("summary/waiting")]},
    "repair/retracted": lambda s: {"space": s.space, "ids": [s.id_of("fact/1"), s.id_of("fact/6")]},
    "repair/root_texts": lambda s: _of(s, FAILED),
    "repair/corrections": lambda s: {"space": s.space, "ids": [s.id_of("fact/1"), s.id_of("fact/6")]},
    "repair/retry": lambda s: {**_of(s, FAILED), "tradeoff": "0.5", "budget": None},
    "repair/stored_plan": lambda s: _of(s, OPEN),
    "repair/texts": lambda s: {"space": s.space, "ids": [s.id_of("fact/1"), s.id_of("fact/6")]},
    "retrieve/event": lambda s: _of(s, CLOSED),
    "retrieve/events": lambda s: {"space": s.space},
    "retrieve/export": lambda s: {
        "space": s.space,
        "keys": ["cache/1", "fact/3"],
        "states": ["Visible", "Withdrawn", "Retired"],
    },
    "retrieve/served_mark": lambda s: {"space": s.space},
    "retrieve/get": lambda s: {"space": s.space, "key": "cache/1"},
    "retrieve/held": lambda s: _of(s, OPEN),
    "retrieve/hidden": lambda s: {"space": s.space},
    "retrieve/keys": lambda s: {
        "space": s.space,
        "from": "",
        "until": "z",
        "states": ["Visible", "Withdrawn", "Retired"],
        "kinds": ["record", "cache", "summary", "skill"],
        "most": 3,
    },
    "retrieve/influences": lambda s: {"space": s.space},
    "retrieve/json_texts": lambda s: {"space": s.space},
    "retrieve/open_events": lambda s: {"space": s.space},
    "retrieve/search_text": lambda s: {"space": s.space, "text": "rain", "k": 3},
    "retrieve/scan_vector": lambda s: {"space": s.space, "embedding": s.embedding(), "k": 3},
    "retrieve/search_vector": lambda s: {"space": s.space, "embedding": s.embedding(), "k": 3},
    "retrieve/version": lambda s: {"space": s.space, "id": s.id_of("cache/1")},
    "retrieve/versions": lambda s: {"space": s.space, "key": "fact/3"},
    "retrieve/why": lambda s: {"space": s.space, "ref": "summary/broken"},
    "schema/await_indexes": lambda s: {"seconds": 300},
    "schema/gates": lambda s: {"space": s.space, "tombstone_key": "not taken"},
    "schema/make_searchable": lambda s: {"nodes": []},
    "schema/set_version": lambda s: {"version": 2},
    "schema/unsearchable": lambda s: {"most": 3},
    "schema/tombstone_key": lambda s: {"space": s.space},
    "schema/visible_embedding": lambda s: {"dimensions": s.dimensions},
    "browser/demo_plain_delete": lambda s: {"key": "none"},
    "bench/bare_cascade": lambda s: {"space": s.space},
    "bench/bare_plan": lambda s: {
        **_of(s, "event/new"),
        "ids": [s.id_of("fact/1")],
        "reasons": [""],
        "predecessors": [[]],
    },
    "bench/bare_derive": lambda s: {"space": s.space, "draft": draft("new"), "sources": [s.id_of("fact/1")]},
    "bench/bare_get": lambda s: {"space": s.space, "key": "cache/1"},
    "bench/bare_search_vector": lambda s: {"space": s.space, "embedding": s.embedding(), "k": 3},
    "bench/bare_successors": lambda s: {"space": s.space, "rows": []},
    "bench/bare_swap": lambda s: {"rows": []},
    "bench/bare_withdraw": lambda s: {"ids": [s.id_of("fact/1")]},
    "bench/edges": lambda s: {"rows": []},
    "bench/forget_artifacts": lambda s: {"space": "a_space_that_is_empty", "most": 1},
    "bench/forget_events": lambda s: {"space": "a_space_that_is_empty", "most": 1},
    "bench/forget_gates": lambda s: {"space": "a_space_that_is_empty"},
    "bench/nodes": lambda s: {"space": s.space, "rows": []},
    "bench/restore": lambda s: {"ids": [s.id_of("fact/1")]},
    "bench/served": lambda s: {"space": s.space},
    "bench/spent": lambda s: {"space": s.space},
}

BEFORE: dict[str, tuple[str, ...]] = {
    "repair/renew": ("repair/claim",),
    "repair/plan_columns": ("repair/claim",),
    "repair/plan_done": ("repair/claim", "repair/plan_columns"),
    "repair/stored_plan": ("repair/claim", "repair/plan_columns"),
    "publish/stage": ("repair/claim", "repair/plan_columns", "repair/plan_done"),
    "publish/publish": ("repair/claim", "repair/plan_columns", "repair/plan_done", "publish/stage"),
    "publish/outcomes": ("repair/claim", "repair/plan_columns", "repair/plan_done"),
    "publish/remove": ("repair/claim", "repair/plan_columns", "repair/plan_done"),
    "publish/close": (
        *("repair/claim", "repair/plan_columns", "repair/plan_done", "publish/stage", "publish/publish"),
        "publish/remove",
    ),
}
"""What an event must have gone through, in the same transaction, for a statement to have something to do."""

EMPTY = {"repair/replacements"}
"""Statements that rightly find nothing in the seeded space, beside the checks."""


def params_of(name: str, seed: Seed, declared: frozenset[str]) -> Params:
    """Valid parameters of a file: those of its case; for a file of a space alone, or of nothing, they need no case."""
    if name in CASES:
        return CASES[name](seed)
    assert declared <= {"space"}, f"{name} needs a case in tests/contract/cases.py"
    return {"space": seed.space} if declared else {}
