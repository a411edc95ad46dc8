"""Free ports are found, and a port that somebody has is left alone."""

from __future__ import annotations

import socket

import pytest

from memorepair_graphdb.errors import LocalServerError
from memorepair_graphdb.localdb.ports import SPAN, find_ports, is_free
from memorepair_graphdb.localdb.settings import BOLT_PORT, HTTP_PORT, Ports


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
def test_a_port_that_somebody_listens_on_is_not_free(address: str) -> None:
    with socket.create_server((address, 0)) as listener:
        port = listener.getsockname()[1]
        assert not is_free(port)
        found = find_ports(Ports(port, port))
        assert port not in (found.bolt, found.http)
    assert is_free(port)


def test_a_server_keeps_the_ports_it_had_when_they_are_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        former = Ports(one.getsockname()[1], other.getsockname()[1])
    assert find_ports(former) == former


def test_ports_reserved_for_other_servers_are_left_to_them() -> None:
    first = find_ports()
    second = find_ports(reserved={first.bolt, first.http})
    assert {first.bolt, first.http}.isdisjoint({second.bolt, second.http})


def test_when_none_is_free_it_says_so() -> None:
    every_port = {*range(BOLT_PORT, BOLT_PORT + SPAN), *range(HTTP_PORT, HTTP_PORT + SPAN)}
    with pytest.raises(LocalServerError, match=r"no port from 7687 to 7886 is free .*NEO4J_URI"):
        find_ports(reserved=every_port)
