"""A server that others can reach: who has the key is answered, a stranger gets nothing."""

import json

import pytest

from cli.invoking import assert_refused, invoke
from playmill.core.errors import PlaymillError, UsageError
from playmill.serve.addresses import is_on_this_machine, zmq_address
from playmill.serve.control import NoAnswer, ask
from playmill.serve.keys import make_keys, read_keys
from serve.serving import Truth, client_of, make_net, serving
from serve.test_server import free_port

pytestmark = pytest.mark.jit


def test_only_the_key_opens_the_door(tmp_path):
    server_file, client_file = make_keys(tmp_path / "keys")
    _, strange_file = make_keys(tmp_path / "strange")
    path, address = make_net(tmp_path / "net.pt"), f"tcp://127.0.0.1:{free_port()}"
    truth = Truth(path, "tictactoe")
    with serving(address, [f"best={path}"], read_keys(server_file, "server")) as server:
        client = client_of(path, address, key=str(client_file))
        buffer = truth.buffer(client, "tictactoe")
        client.submit(buffer, 64)
        client.collect(buffer)
        assert truth.is_in(buffer)
        for stranger in (None, strange_file, tmp_path / "forged.key"):
            with pytest.raises(NoAnswer, match="no answer in 1 s"):
                ask(address, "status", stranger_keys(stranger, client_file, strange_file), 1.0)
        assert server._door.turned_away > 0  # the forged one knows the server's public key, and is not on its list
        assert server.tally.facts()["refusals"] == {}


def stranger_keys(path, client_file, strange_file):
    """No key, another server's, or one of the stranger's own making with the right server in it."""
    if path is None:
        return None
    if path.exists():
        return read_keys(path, "client")
    strange, real = read_keys(strange_file, "client"), read_keys(client_file, "client")
    return strange.model_copy(update={"other_public": real.other_public})


def test_keys_are_their_owners_alone_and_new_each_time(tmp_path):
    files = make_keys(tmp_path / "one")
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)
    server, client = (json.loads(path.read_text()) for path in files)
    assert server["public"] == client["other_public"]
    assert client["public"] == server["other_public"]
    assert json.loads(make_keys(tmp_path / "two")[0].read_text())["secret"] != server["secret"]


def test_the_wrong_file_is_told(tmp_path):
    server_file, client_file = make_keys(tmp_path)
    with pytest.raises(UsageError, match=r"expected the server's keys, got the client's; take server\.key"):
        read_keys(client_file, "server")
    with pytest.raises(UsageError, match="expected the client's keys"):
        read_keys(server_file, "client")


def test_keys_that_are_there_are_not_replaced(tmp_path):
    assert invoke(["serve-keys", tmp_path / "keys"], tmp_path).code == 0
    before = (tmp_path / "keys" / "server.key").read_text()
    assert_refused(invoke(["serve-keys", tmp_path / "keys"], tmp_path))
    assert (tmp_path / "keys" / "server.key").read_text() == before


@pytest.mark.parametrize("address", ["tcp://0.0.0.0:7000", "tcp://*:7000", "tcp://10.0.0.1:7000", "tcp://host.example:7000"])
def test_other_machines_are_let_in_only_on_purpose(tmp_path, address):
    ended = invoke(["serve", "--model", "x=dummy", "--bind", address], tmp_path)
    assert_refused(ended, [2])
    assert "--in-the-clear" in ended.err
    assert not is_on_this_machine(address)


@pytest.mark.parametrize(
    "address", ["http://x:1", "unix://relative", "tcp://host", "tcp://host:0", "tcp://host:99999", "unix:///" + "x" * 200]
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(PlaymillError, match="expected"):
        zmq_address(address)


@pytest.mark.parametrize("address", ["unix:///tmp/x", "tcp://127.0.0.1:1", "tcp://localhost:1", "tcp://[::1]:1"])
def test_loopback_needs_no_keys(address):
    assert is_on_this_machine(address)


@pytest.mark.parametrize(
    "words", [["--model", "x"], ["--model", "x=dummy:much"], ["--model", "=x.pt"], [], ["--model", "x=none.pt"],
              ["--model", "x=dummy", "--model", "x=dummy"]],
)  # fmt: skip
def test_models_that_are_none_are_refused(tmp_path, words):
    assert_refused(invoke(["serve", "--bind", f"unix://{tmp_path}/s", *words], tmp_path), [2])
    assert not (tmp_path / "s").exists()
