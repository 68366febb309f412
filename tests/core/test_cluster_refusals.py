"""What is wrong with a cluster is told in one line, with the way out, and soon."""

import socket

import pytest

from playmill.cli.executor import executing
from playmill.core import extras
from playmill.core.cluster import connection, crew
from playmill.core.cluster.worker import Introduction
from playmill.core.errors import PlaymillError, UsageError
from ray_cluster import ray


def refused(address, kind=PlaymillError):
    """The line about an address that can't be used."""
    with pytest.raises(kind) as raised, executing("ray", address):
        pass
    assert not ray.is_initialized()
    return str(raised.value)


def test_nobody_listens():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        line = refused(f"127.0.0.1:{taken.getsockname()[1]}")
    assert line.startswith("--ray-address 127.0.0.1:")
    assert "nobody listens there" in line
    assert "ray start --head" in line


def test_an_address_that_never_answers_is_named_after_its_time_out(monkeypatch):
    def never(address, seconds):
        raise TimeoutError

    monkeypatch.setattr(connection.socket, "create_connection", never)
    assert "--ray-address 10.9.9.9:6379: no answer in 10 s; is the head running" in refused("10.9.9.9:6379")


@pytest.mark.parametrize("address", ["here", ":6379", "host:", "host:port", "ray://host:10001"])
def test_what_is_no_address(address):
    assert f"--ray-address {address}: expected" in refused(address, UsageError)


def test_an_address_from_the_environment_is_called_so(monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "nowhere")
    assert refused(None, UsageError).startswith("RAY_ADDRESS nowhere: expected HOST:PORT")


def test_an_address_without_ray_is_refused():
    with pytest.raises(UsageError, match="there is no --executor ray"), executing(None, "host:1"):
        pass


def test_without_ray_a_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(extras, "is_installed", lambda package: package != "ray")
    line = "--executor ray needs ray, which is not installed; pip install -c constraints.txt 'playmill[ray]'"
    assert refused(None, extras.MissingExtra) == line


@pytest.mark.parametrize(
    ("address", "error", "part"),
    [
        ("auto", ConnectionError("Could not find any running Ray instance."), "this machine is no node of a cluster"),
        ("h:1", RuntimeError("Version mismatch: The cluster was started with:\n Ray: 2.9.0"), "the same Ray and Python"),
        ("h:1", ValueError("Can't find a node with IP"), "make it one with `ray start --address=h:1`"),
        ("h:1", RuntimeError("Failed to connect"), "can't be joined (Failed to connect)"),
    ],
)
def test_what_ray_says_becomes_one_line(monkeypatch, address, error, part):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(connection, "_require_answer", lambda address: None)
    monkeypatch.setattr(connection.ray, "init", fail)
    line = refused(address)
    assert part in line
    assert "\n" not in line


def test_a_node_with_another_playmill_is_named():
    with pytest.raises(PlaymillError, match=r"node 10\.0\.0\.5: expected playmill .* got playmill 9\.9 on Python 3\.1\.0"):
        crew._require_same(Introduction("9.9", "3.1.0", "10.0.0.5", "node", 1))
