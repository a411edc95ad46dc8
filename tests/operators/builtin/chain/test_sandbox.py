"""A chain runs in the sandbox alone: forty attacks are stopped, and each time the next run answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from memorepair_graphdb.operators.builtin.chain.sandbox import SOURCE_BYTES, Limits, Run, Sandbox
from memorepair_graphdb.operators.builtin.chain.tool_host import ChainFailed, ContractViolation, HostCall, ToolLimits

WEATHER: dict[str, Any] = {
    "name": "weather",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}, "in": {}}, "required": ["city"]},
    "outputSchema": {"type": "object", "properties": {"temp": {"type": "number"}}, "required": ["temp"]},
}
LIMITS = Limits(seconds=0.05, tools=ToolLimits(calls=5, tool_seconds=0.2, wall_seconds=0.3))
HONEST = "def chain(city):\n    return weather(city=city)['temp'] + 0.5\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(workers=1) as sandbox:
        yield sandbox


def answer(tool: str, arguments: dict[str, Any]) -> Any:
    """A recorded tool: what it says depends on the city."""
    city = arguments["city"]
    if city == "slow":
        time.sleep(0.5)
    if city == "down":
        raise OSError("no route")
    return {"wrong": {"temp": "warm"}, "nan": {"temp": float("nan")}}.get(city, {"temp": 17})


def run(sandbox: Sandbox, source: str, **arguments: Any) -> Run:
    return sandbox.run(source, arguments, {"weather": WEATHER}, answer, LIMITS)


def body(code: str) -> str:
    return "def chain():\n" + "".join(f"    {line}\n" for line in code.splitlines())


def swallowed(code: str) -> str:
    return body(f"try:\n    {code}\nexcept BaseException:\n    pass\nreturn 1")


VIOLATIONS = {
    "a huge power": body("return 9**9**9"),
    "a huge power, caught": swallowed("9**9**9"),
    "a huge string": body("return 'a' * 10**12"),
    "a string that doubles": body("s = 'a'\nwhile True:\n    s += s"),
    "a huge list": body("return [0] * 10**11"),
    "a huge range made a list": body("return list(range(10**10))"),
    "a format width": body("return '{:>1000000000}'.format(1)"),
    "a width in an f-string": body("return f'{1:>1000000000}'"),
    "recursion": body("def f():\n    return f()\nreturn f()"),
    "mutual recursion": body("def f():\n    return g()\ndef g():\n    return f()\nreturn f()"),
    "an endless loop": body("while True:\n    pass"),
    "an endless loop, caught": swallowed("while True: pass"),
    "an endless loop at the top": "while True:\n    pass\n",
    "a loop over a huge range": body("for i in range(10**9):\n    pass"),
    "printing without end": body("while True:\n    print('x' * 1000000)"),
    "NaN as the result": body("return float('nan')"),
    "an infinity as the result": body("return [float('inf')]"),
    "NaN as an argument, caught": swallowed("weather(city=float('nan'))"),
    "an argument that is not documented, caught": swallowed("weather(city='x', town='y')"),
    "a missing argument, caught": swallowed("weather()"),
    "an argument of another type, caught": swallowed("weather(city=3)"),
    "too many calls": body("for i in range(10):\n    weather(city='x')"),
    "too many calls, caught": swallowed("[weather(city='x') for i in range(10)]"),
    "a tool that hangs, caught": swallowed("weather(city='slow')"),
    "tools that take long together": body(
        "for i in range(5):\n    try:\n        weather(city='slow')\n    except: pass"
    ),
    "a result against its contract, caught": swallowed("weather(city='wrong')"),
    "a result that is no JSON, caught": swallowed("weather(city='nan')"),
    "another tool by the inner name, caught": swallowed("_call('shell', '{}')"),
    "no JSON by the inner name, caught": swallowed("_call('weather', '{')"),
    "a deep list as the result": body("l = []\nfor i in range(3000):\n    l = [l]\nreturn l"),
    "a nesting that JSON readers do not take": body("l = []\nfor i in range(199):\n    l = [l]\nreturn [l, [l]]"),
    "the inner writer replaced": "class _json:\n    def loads(x):\n        return {}\n"
    "    def dumps(x):\n        return chain\n" + body("return []"),
    "a source that is too long": body("return 1") + "#" * SOURCE_BYTES,
}
FAILURES = {
    "a deep source": body("return " + "(" * 5000 + ")" * 5000),
    "a deep source of signs": body("return " + "-" * 100000 + "1"),
    "a walk over dunder attributes": body("return ().__class__.__mro__[1].__subclasses__()"),
    "a function's globals": body("return weather.__globals__"),
    "an import by name": body("return __import__('os').system('id')"),
    "a socket": body("import socket\nreturn socket.socket()"),
    "a process": body("import subprocess\nreturn subprocess.run(['id'])"),
    "foreign code": body("import ctypes\nreturn ctypes.CDLL(None)"),
    "a pickle": body("import pickle\nreturn pickle.loads(b'')"),
    "a file": body("return open('/etc/passwd').read()"),
    "a file to write": body("open('/tmp/x', 'w').write('x')"),
    "a path": body("from pathlib import Path\nreturn Path('/etc/passwd').read_text()"),
    "the environment": body("import os\nreturn os.environ['HOME']"),
    "an exit": body("raise SystemExit"),
    "an interrupt": body("raise KeyboardInterrupt"),
    "a function as the result": body("return chain"),
    "a function as an argument": body("return weather(city=chain)"),
    "a list that holds itself": body("l = []\nl.append(l)\nreturn l"),
    "positional arguments": body("return weather('x')"),
    "no chain at all": "x = 1\n",
}


@pytest.mark.parametrize("source", VIOLATIONS.values(), ids=VIOLATIONS.keys())
def test_what_breaks_a_limit_or_a_contract_is_stopped_even_if_the_chain_catches_it(
    sandbox: Sandbox, source: str
) -> None:
    with pytest.raises(ContractViolation):
        run(sandbox, source)
    assert run(sandbox, HONEST, city="Oslo").result == 17.5


@pytest.mark.parametrize("source", FAILURES.values(), ids=FAILURES.keys())
def test_what_reaches_for_the_outside_fails_inside(sandbox: Sandbox, source: str) -> None:
    with pytest.raises(ChainFailed):
        run(sandbox, source)
    assert run(sandbox, HONEST, city="Oslo").result == 17.5


def test_there_are_forty_attacks_and_more() -> None:
    assert len(VIOLATIONS) + len(FAILURES) >= 40


def test_calls_are_recorded_in_their_order(sandbox: Sandbox) -> None:
    made = run(sandbox, "def chain(a, b):\n    return [weather(city=c) for c in (a, b)]\n", a="Oslo", b="Rom")
    assert made.result == [{"temp": 17}, {"temp": 17}]
    assert made.calls == (
        HostCall("weather", {"city": "Oslo"}, {"temp": 17}),
        HostCall("weather", {"city": "Rom"}, {"temp": 17}),
    )


def test_a_tool_that_fails_is_an_exception_the_chain_may_handle(sandbox: Sandbox) -> None:
    source = body("try:\n    return weather(city='down')\nexcept RuntimeError as error:\n    return str(error)")
    assert run(sandbox, source).result == "weather failed: no route"


def test_names_that_are_no_identifiers_go_through_a_dict(sandbox: Sandbox) -> None:
    made = run(sandbox, body("return weather(**{'city': 'é', 'in': [1, None, True, 2.5]})"))
    assert made.calls[0].arguments == {"city": "é", "in": [1, None, True, 2.5]}


def test_the_clock_stands_and_chance_repeats(sandbox: Sandbox) -> None:
    source = body(
        "import random, time\nfrom datetime import datetime\nreturn [random.random(), str(datetime.now()), time.time()]"
    )
    assert run(sandbox, source) == run(sandbox, source)


def test_one_run_leaves_nothing_to_the_next(sandbox: Sandbox) -> None:
    run(sandbox, "secret = 1\n" + body("return secret"))
    with pytest.raises(ChainFailed, match="secret"):
        run(sandbox, body("return secret"))


@pytest.mark.parametrize(
    ("tool", "name"), [("🐍 pit/get", "tool__pit_get"), ("a\"b\\n'c", "a_b_n_c"), ("_x", "tool_x")]
)
def test_a_tool_is_called_by_its_very_name_whatever_that_holds(sandbox: Sandbox, tool: str, name: str) -> None:
    source = f"def chain(city):\n    return {name}(city=city)['temp']\n"
    done = sandbox.run(source, {"city": "x"}, {tool: WEATHER}, answer, LIMITS)
    assert done == Run(17, (HostCall(tool, {"city": "x"}, {"temp": 17}),))
