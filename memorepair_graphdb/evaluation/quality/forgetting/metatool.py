"""Reads MetaTool's requests as rows (Huang et al. 2024, `dataset/data/all_clean_data.csv`; 20,614 requests, 199 tools).

A directory is read, nothing is copied; a request that stands there twice is one row.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np

from ....errors import BadInput
from ....operators.builtin.neural.selector.rows import TrainingRow, labelled

FILE = "all_clean_data.csv.gz"


def read_shard(directory: Path, classes: int, each: int, seed: int) -> tuple[TrainingRow, ...]:
    """Return at most `each` rows, drawn with the seed, of each of the `classes` most frequent tools, in a drawn order.

    Raises `BadInput` where the directory has no such file, or it has not the columns Query and Tool.
    """
    queries = _queries(directory / FILE)
    frequent = sorted(queries, key=lambda tool: (-len(queries[tool]), tool))[:classes]
    chance = np.random.default_rng(seed)
    drawn = [
        labelled(f"metatool/{tool}/{place}", queries[tool][place], (tool,))
        for tool in sorted(frequent)
        for place in sorted(chance.permutation(len(queries[tool]))[:each].tolist())
    ]
    return tuple(drawn[place] for place in chance.permutation(len(drawn)))


def _queries(file: Path) -> dict[str, list[str]]:
    """Return tool → its distinct requests, in the order of the file."""
    found: dict[str, dict[str, None]] = {}
    seen: set[str] = set()
    try:
        with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
            for line in csv.DictReader(lines):
                if line["Query"] not in seen:
                    seen.add(line["Query"])
                    found.setdefault(line["Tool"], {})[line["Query"]] = None
    except (OSError, KeyError) as error:
        raise BadInput(f"{file} is not MetaTool's table of requests: {error}") from error
    return {tool: list(queries) for tool, queries in found.items()}
