"""A selector's file is read back only when it is byte for byte one of ours; nothing else is ever opened."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import pickle
import warnings
import zipfile
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from memorepair_graphdb.errors import OperatorError
from memorepair_graphdb.operators.builtin.neural.safetensors_blob import HEADER
from memorepair_graphdb.operators.builtin.neural.selector.weights import (
    SelectorBasis,
    SelectorSkill,
    read_skill,
    to_blob,
    to_manifest,
)

BASIS = SelectorBasis(tools={"a": "a", "b": "b"}, rows={"r": "0" * 64}, features="f", l2=0.1, bound=False)
SKILL = SelectorSkill(BASIS, np.array([[0.1, 0.2, 0.3], [1 / 3, -2.0, 1e-300]]))
KNOWN = json.dumps(BASIS.model_dump(), sort_keys=True, separators=(",", ":"))


class Bomb:
    """Tells when it is unpickled."""

    def __reduce__(self) -> Any:
        return warnings.warn, ("opened",)


def beside(blob: bytes) -> str:
    """A manifest that vouches for any bytes."""
    return json.dumps({"features": "f", "format": "safetensors", "sha256": hashlib.sha256(blob).hexdigest()})


def file_of(tensors: dict[str, Any], header: dict[str, str] | None = None) -> bytes:
    return bytes(save(tensors, metadata={HEADER: KNOWN} if header is None else header))


def _zipped() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(Bomb()))
    return held.getvalue()


def _objects() -> bytes:
    held = io.BytesIO()
    np.save(held, np.array([Bomb()], dtype=object), allow_pickle=True)
    return held.getvalue()


PICKLE = pickle.dumps(Bomb())
DISGUISES = {
    "a pickle": (PICKLE, "never opened"),
    "an old pickle": (pickle.dumps(Bomb(), protocol=0), "never opened"),
    "a pickle in gzip, as joblib writes": (gzip.compress(PICKLE), "never opened"),
    "an archive, as torch.save writes": (_zipped(), "never opened"),
    "an array of objects": (_objects(), "never opened"),
    "a pickle behind a length": (len(PICKLE).to_bytes(8, "little") + PICKLE, "never opened"),
    "a pickle before the file": (PICKLE + to_blob(SKILL), "never opened"),
    "a pickle behind the file": (to_blob(SKILL) + PICKLE, "no selector"),
    "a pickle as a tensor": (file_of({"weights": np.frombuffer(PICKLE, dtype=np.uint8)}), "of type U8"),
    "a pickle beside the weights": (file_of({"weights": SKILL.weights, "more": np.zeros(2)}), "no selector"),
    "a pickle in the header": (
        file_of({"weights": SKILL.weights}, {HEADER: KNOWN, "p": PICKLE.hex()}),
        "more than one",
    ),
    "another name": (file_of({"wieghts": SKILL.weights}), "wieghts"),
    "another type": (file_of({"weights": SKILL.weights.astype(np.float32)}), "of type F32"),
    "another shape": (file_of({"weights": SKILL.weights[:1]}), "do not fit 2 classes"),
    "NaN": (file_of({"weights": SKILL.weights * np.nan}), "NaN"),
    "no header": (bytes(save({"weights": SKILL.weights})), "no selector"),
    "a header that is no JSON": (file_of({"weights": SKILL.weights}, {HEADER: "{"}), "no selector"),
    "a header that says more": (file_of({"weights": SKILL.weights}, {HEADER: f'{{"x":1,{KNOWN[1:]}'}), "no selector"),
    "a header in other words": (file_of({"weights": SKILL.weights}, {HEADER: f" {KNOWN}"}), "more than one"),
    "nothing": (b"", "never opened"),
    "eight bytes": (b"\x00" * 8, "never opened"),
}


def test_what_was_written_reads_back_to_the_bit():
    blob = to_blob(SKILL)
    back = read_skill(to_manifest(SKILL, blob), blob)
    assert back.basis == SKILL.basis
    assert back.weights.tobytes() == SKILL.weights.tobytes()


def test_equal_skills_are_equal_bytes():
    assert to_blob(SKILL) == to_blob(SelectorSkill(BASIS.model_copy(), SKILL.weights.copy()))


@pytest.mark.parametrize("disguise", DISGUISES)
def test_any_other_file_is_refused_unopened(disguise: str):
    blob, reason = DISGUISES[disguise]
    with warnings.catch_warnings(action="error"), pytest.raises(OperatorError, match=reason):
        read_skill(beside(blob), blob)


def test_a_pickle_that_is_opened_would_have_told():
    with pytest.warns(UserWarning, match="opened"):
        pickle.loads(PICKLE)


def test_another_hash_than_the_pinned_one_is_refused():
    blob = to_blob(SKILL)
    with pytest.raises(OperatorError, match="hash is not the one"):
        read_skill(to_manifest(SKILL, blob + b" "), blob)


@pytest.mark.parametrize("content", ["", "weights", "[1]", '{"format":"safetensors"}'])
def test_a_content_that_pins_nothing_is_refused(content: str):
    with pytest.raises(OperatorError, match="hash is not the one"):
        read_skill(content, to_blob(SKILL))


def test_a_manifest_of_other_features_is_refused():
    blob = to_blob(SKILL)
    with pytest.raises(OperatorError, match="does not describe its blob"):
        read_skill(to_manifest(SKILL, blob).replace('"features":"f"', '"features":"g"'), blob)


@pytest.mark.parametrize("blob", [None, b"\x00" * (16 * 1024 * 1024 + 1)])
def test_no_blob_and_a_huge_one_are_refused(blob: bytes | None):
    with pytest.raises(OperatorError, match="at most 16 MiB"):
        read_skill(to_manifest(SKILL, to_blob(SKILL)), blob)
