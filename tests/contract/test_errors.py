"""The tree of errors that errors.py draws is the tree of its classes.

Needs no server.
"""

from __future__ import annotations

import re
from pkgutil import walk_packages

import memorepair_graphdb
from memorepair_graphdb import errors
from memorepair_graphdb.errors import MemoRepairError

_NAME = re.compile(r"[├└]── (\w+)")


def drawn(text: str) -> list[str]:
    """The lines of a tree, without the words beside the names."""
    lines = []
    for line in text.splitlines():
        if line == "MemoRepairError":
            lines.append(line)
        elif name := _NAME.search(line):
            lines.append(line[: name.end()])
    return lines


def draw(error: type[MemoRepairError], order: list[str], indent: str = "") -> list[str]:
    """The same lines from the classes that errors.py defines; siblings in the order of the text."""
    below = [child for child in error.__subclasses__() if child.__module__ == errors.__name__]
    lines = []
    for child in sorted(below, key=lambda child: order.index(child.__name__)):
        last = child.__name__ == max((known.__name__ for known in below), key=order.index)
        lines.append(f"{indent}{'└' if last else '├'}── {child.__name__}")
        lines += draw(child, order, indent + ("    " if last else "│   "))
    return lines


def test_the_drawn_tree_is_the_tree_of_the_classes() -> None:
    lines = drawn(errors.__doc__ or "")
    order = [line.rpartition(" ")[2] for line in lines]
    defined = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert set(order) == {name for name in defined if issubclass(getattr(errors, name), Exception)}
    assert lines == ["MemoRepairError", *draw(MemoRepairError, order)]


def test_the_drawn_exit_codes_are_those_of_the_classes() -> None:
    said = re.findall(r"── (\w+) .*\(exit (\d)\)", errors.__doc__ or "")
    assert said
    assert [(name, getattr(errors, name).exit_code) for name, _ in said] == [(name, int(code)) for name, code in said]


def test_every_module_raises_errors_below_ours_under_a_name_of_its_own() -> None:
    for module in walk_packages(memorepair_graphdb.__path__, "memorepair_graphdb."):
        if not module.name.endswith("__main__"):
            __import__(module.name)
    found = [MemoRepairError]
    for error in found:
        found += error.__subclasses__()
    ours = {error for error in found if error.__module__.startswith("memorepair_graphdb")}
    assert len({error.__name__ for error in ours}) == len(ours)
