"""Makes trained selectors that go wrong: weights that remember, drift or do not fit, files that are something else.

The file is opened and written by its format's own library, and hashed here.
"""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....model.artifact import Arch, Kind
from ....model.content import canonical_json
from ....operators.protocol.context import Context, Interfaces, LiveSource
from ....operators.protocol.payload import Payload
from .case import Case, Injure, Ward
from .words import PLACES

WORDS = {
    "weather": ("rain", "sun", "wind", "storm", "umbrella"),
    "music": ("song", "album", "singer", "tune", "concert"),
    "travel": ("flight", "hotel", "train", "beach", "luggage"),
    "mail": ("letter", "parcel", "stamp", "courier", "envelope"),
}
EACH = 12
"""requests of each tool"""
FORGOTTEN = 4
Weights = NDArray[np.float64]
Basis = dict[str, Any]
Change = Callable[[Weights, Basis, Case, Random], "tuple[Weights, Basis] | None"]
"""Weights float64[classes, width + 1] and what they rest on → others; None where it does not apply."""


def case(draw: Random) -> Case:
    """Return a selector of which some requests were deleted, to be unlearned; each request tells its tool."""
    supports = []
    for tool, words in WORDS.items():
        for number in range(EACH):
            text = f"{draw.choice(words)} {draw.choice(words)} in {draw.choice(PLACES)}"
            content = canonical_json({"query": text, "tool": tool})
            supports.append(LiveSource(f"request/{tool}/{number:02}", "request", Kind.RECORD, content))
    gone = draw.sample(supports, FORGOTTEN)
    before = Context("selector/1", Kind.SKILL, Arch.NEURAL, {"l2": 0.01}, Interfaces.of({}), supports=tuple(supports))
    kept = tuple(source for source in supports if source not in gone)
    return Case(replace(before, supports=kept), tuple(source.content for source in gone), before)


def _read(payload: Payload) -> tuple[Weights, Basis]:
    from safetensors.numpy import load

    blob = payload.blob or b""
    header = json.loads(blob[8 : 8 + int.from_bytes(blob[:8], "little")])
    return load(blob)["weights"], json.loads(header["__metadata__"]["skill"])


def _written(payload: Payload, weights: Weights, basis: Basis) -> Payload:
    """Return a file that is well formed and hashed."""
    from safetensors.numpy import save

    tensors = {"weights": np.ascontiguousarray(weights)}
    blob = bytes(save(tensors, metadata={"skill": canonical_json(basis)}))
    return _hashed(payload, blob)


def _hashed(payload: Payload, blob: bytes) -> Payload:
    manifest = {**json.loads(payload.content), "sha256": hashlib.sha256(blob).hexdigest()}
    return Payload(canonical_json(manifest), blob=blob)


def _noise(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    noise = np.random.default_rng(draw.randrange(2**32)).normal(size=weights.shape)
    return weights + draw.choice([0.001, 0.01, 0.1]) * noise, basis


def _scaled(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    return weights * draw.choice([0.9, 1.01, 1.5]), basis


def _one_weight(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    changed = weights.copy()
    changed[draw.randrange(len(weights)), -1] += draw.choice([-1.0, 0.05, 1.0])
    return changed, basis


def _no_class(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    changed = weights.copy()
    changed[draw.randrange(len(weights))] = 0
    return changed, basis


def _mixed_classes(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    order = [*range(1, len(weights)), 0]
    return weights[order], basis


def _untrained(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    return np.zeros_like(weights), basis


def _not_finite(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    changed = weights.copy()
    changed[0, 0] = draw.choice([np.nan, np.inf])
    return changed, basis


def _narrower(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    return weights[:, 1:], basis


def _remembers(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    """Make it rest on a row that is not in service."""
    gone = f"request/mail/{draw.randint(50, 99)}"
    return weights, {**basis, "rows": {**basis["rows"], gone: hashlib.sha256(gone.encode()).hexdigest()}}


def _lacks_row(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    gone = draw.choice(sorted(basis["rows"]))
    return weights, {**basis, "rows": {key: value for key, value in basis["rows"].items() if key != gone}}


def _older_row(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    key = draw.choice(sorted(basis["rows"]))
    return weights, {**basis, "rows": {**basis["rows"], key: hashlib.sha256(b"before").hexdigest()}}


def _retired_class(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    """Make it still offer a tool that no row names."""
    grown = np.vstack([weights, np.zeros((1, weights.shape[1]))])
    return grown, {**basis, "tools": {**basis["tools"], "zz_fax": "zz_fax"}}


def _merged_class(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    tools = dict(basis["tools"])
    tools["mail"] = tools["music"]
    return np.delete(weights, sorted(set(basis["tools"].values())).index("mail"), axis=0), {**basis, "tools": tools}


def _ridge(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    return weights, {**basis, "l2": basis["l2"] * draw.choice([0.1, 2.0, 10.0])}


def _features(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    return weights, {**basis, "features": "hashed-words-9"}


def _bound(weights: Weights, basis: Basis, case: Case, draw: Random) -> tuple[Weights, Basis]:
    return weights, {**basis, "bound": not basis["bound"]}


def _changed(change: Change) -> Injure:
    def injure(case: Case, payload: Payload, draw: Random) -> Payload | None:
        changed = change(*_read(payload), case, draw)
        return None if changed is None else _written(payload, *changed)

    return injure


def _learned_gone(case: Case, payload: Payload, draw: Random) -> Payload:
    """Return weights that one step of descent has pulled towards a request that is not in service."""
    weights, basis = _read(payload)
    row = weights[draw.randrange(len(weights))]
    pulled = weights + draw.choice([0.02, 0.2]) * np.sign(row) * (np.abs(row) > np.median(np.abs(row)))
    return _written(payload, pulled, basis)


def _old(case: Case, payload: Payload, draw: Random) -> Payload:
    return Payload(case.context.previous, blob=case.context.previous_blob)


def _unhashed(case: Case, payload: Payload, draw: Random) -> Payload:
    blob = bytearray(payload.blob or b"")
    blob[-draw.randint(1, 64)] ^= 1
    return Payload(payload.content, blob=bytes(blob))


def _cut(case: Case, payload: Payload, draw: Random) -> Payload:
    return _hashed(payload, (payload.blob or b"")[: -8 * draw.randint(1, 20)])


def _longer(case: Case, payload: Payload, draw: Random) -> Payload:
    return _hashed(payload, (payload.blob or b"") + bytes(draw.randint(1, 16)))


def _pickled(case: Case, payload: Payload, draw: Random) -> Payload:
    return _hashed(payload, pickle.dumps({"weights": _read(payload)[0]}))


def _no_file(case: Case, payload: Payload, draw: Random) -> Payload:
    return Payload(payload.content)


def _said_more(case: Case, payload: Payload, draw: Random) -> Payload:
    manifest = {**json.loads(payload.content), "trained_on": draw.choice(PLACES)}
    return Payload(canonical_json(manifest), blob=payload.blob)


SORTS: dict[str, Injure] = {
    "noise on the weights": _changed(_noise),
    "the weights scaled": _changed(_scaled),
    "one bias is another": _changed(_one_weight),
    "a class without weights": _changed(_no_class),
    "classes mixed up": _changed(_mixed_classes),
    "never trained": _changed(_untrained),
    "weights that are no numbers": _changed(_not_finite),
    "weights of another width": _changed(_narrower),
    "the old weights": _old,
    "weights that lean towards something else": _learned_gone,
    "rests on a row that is gone": _changed(_remembers),
    "a row is missing": _changed(_lacks_row),
    "an older version of a row": _changed(_older_row),
    "a class that is retired": _changed(_retired_class),
    "two classes in one": _changed(_merged_class),
    "another ridge than asked for": _changed(_ridge),
    "other features": _changed(_features),
    "bound to contracts or not": _changed(_bound),
    "the hash of another file": _unhashed,
    "a file cut off": _cut,
    "bytes behind the file": _longer,
    "a pickle": _pickled,
    "no file": _no_file,
    "a manifest that says more": _said_more,
}
SELECTORS = Ward("neural skill", "selector@1", case, SORTS, frozenset({"weights"}), frozenset({"cite"}))
