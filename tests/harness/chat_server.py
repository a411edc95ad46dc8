"""A real HTTP server that speaks the chat-completions protocol, and misbehaves as it is told.

It listens on the loopback address, keeps every request as it came, and ends with its test.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any]
"""A status, and JSON, or as a text what is sent as it is, or one of the two below."""


@dataclass(frozen=True)
class Dripped:
    """A whole answer, headers included, that comes byte for byte with a pause after each."""

    text: str
    pause: float
    head_at_once: bool = True


@dataclass(frozen=True)
class Elsewhere:
    """An answer that stands at another address."""

    url: str


Behaviour = Callable[[dict[str, Any]], Reply]
"""The parsed request → the reply."""


@dataclass
class ChatServer:
    """Answers each request by the next behaviour of its script; the last one stays."""

    script: list[Behaviour]
    base_url: str = ""
    requests: list[str] = field(default_factory=list)
    """the bodies, as they came"""
    keys: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, body: str, key: str) -> Behaviour:
        with self._lock:
            self.requests.append(body)
            self.keys.append(key)
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]


@contextmanager
def serving(*script: Behaviour) -> Iterator[ChatServer]:
    """Serve this script on a free port until the block ends."""
    chat = ChatServer(list(script))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            behave = chat.next(body, self.headers.get("Authorization", ""))
            if self.path != "/v1/chat/completions":
                status, said = 404, {"error": {"message": f"no {self.path}"}}
            else:
                status, said = behave(json.loads(body))
            if isinstance(said, Dripped):
                return self.drip(status, said)
            if isinstance(said, Elsewhere):
                self.send_response(status)
                self.send_header("Location", said.url)
                self.send_header("Content-Length", "0")
                return self.end_headers()
            sent = (said if isinstance(said, str) else json.dumps(said)).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)
            except (BrokenPipeError, ConnectionResetError):
                pass  # who asked has gone

        def drip(self, status: int, said: Dripped) -> None:
            head = f"HTTP/1.1 {status} OK\r\nContent-Type: application/json\r\nContent-Length: {len(said.text)}\r\n\r\n"
            at_once = len(head) if said.head_at_once else 0
            try:
                self.wfile.write(head[:at_once].encode())
                for byte in (head[at_once:] + said.text).encode():
                    self.wfile.write(bytes([byte]))
                    time.sleep(said.pause)
            except (BrokenPipeError, ConnectionResetError):
                pass  # who asked has gone

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    chat.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield chat
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def completion(content: Any, *, finish: str = "stop", refusal: str | None = None, tokens: int | None = 321) -> Reply:
    """A completion as the protocol has it."""
    text = content if isinstance(content, str) or content is None else json.dumps(content)
    message = {"role": "assistant", "content": text, "refusal": refusal}
    said = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
    }
    usage = {"prompt_tokens": 300, "completion_tokens": 21, "total_tokens": tokens}
    return 200, {**said, "usage": usage} if tokens is not None else said


def says(*sentences: tuple[str, *tuple[str, ...]], **options: Any) -> Behaviour:
    """Answer with these sentences, each with its labels."""
    answer = {"sentences": [{"text": text, "sources": list(labels)} for text, *labels in sentences]}
    return lambda request: completion(answer, **options)


def sends(content: Any, **options: Any) -> Behaviour:
    """Answer with this content."""
    return lambda request: completion(content, **options)


def fails(status: int, message: str = "out of order") -> Behaviour:
    """Answer with an error."""
    return lambda request: (status, {"error": {"message": message, "type": "error"}})


def garbles(text: str) -> Behaviour:
    """Answer 200 with a body that is not of the protocol."""
    return lambda request: (200, text)


def waits(seconds: float, then: Behaviour) -> Behaviour:
    """Take so long before it answers."""

    def behave(request: dict[str, Any]) -> Reply:
        time.sleep(seconds)
        return then(request)

    return behave


def drips(pause: float, then: Behaviour, *, head_at_once: bool = True) -> Behaviour:
    """Send the answer byte for byte."""

    def behave(request: dict[str, Any]) -> Reply:
        status, said = then(request)
        return status, Dripped(json.dumps(said), pause, head_at_once)

    return behave


def redirects(status: int, url: str) -> Behaviour:
    """Say that the answer stands elsewhere."""
    return lambda request: (status, Elsewhere(url))
