"""`playmill serve-control`: what people ask a server from outside."""

import contextlib
import json
import threading

import pytest
import zmq

from cli.invoking import assert_refused, invoke
from playmill.serve.protocol import Header, MessageKind, encode_json
from serve.serving import PATIENCE_S, make_net, serving

pytestmark = pytest.mark.jit


@pytest.fixture
def address(tmp_path):
    return f"unix://{tmp_path}/mill"


def test_a_status_is_told_to_people_and_to_scripts(tmp_path, address):
    with serving(address, [f"best={make_net(tmp_path / 'net.pt')}", "nothing=dummy"], max_batch=32):
        told = invoke(["serve-control", address, "status"], tmp_path)
        status = json.loads(invoke(["serve-control", address, "status", "--json"], tmp_path).out)
    assert told.code == 0
    assert f"{address}: serving on cpu" in told.out
    assert "best: generation 1: tictactoe, ort" in told.out
    assert "nothing: generation 1: dummy" in told.out
    assert [card["name"] for card in status["models"]] == ["best", "nothing"]
    assert status["max_batch"] == 32


def test_a_reload_says_what_had_changed(tmp_path, address):
    files = [make_net(tmp_path / f"{name}.pt") for name in ("best", "candidate")]
    with serving(address, [f"{path.stem}={path}" for path in files]):
        assert f"{address}: nothing had changed" in invoke(["serve-control", address, "reload"], tmp_path).out
        for path in files:
            make_net(path, seed=4)
        told = invoke(["serve-control", address, "reload", "--model", "candidate"], tmp_path)
        assert f"{address}: candidate had changed" in told.out
        assert "candidate: generation 2" in told.out
        assert "best: generation 1" in told.out
        refused = invoke(["serve-control", address, "reload", "--model", "worst"], tmp_path)
        assert_refused(refused, [1])
        assert f"{address}: unknown model 'worst'; there are best, candidate" in refused.err


def test_a_drain_ends_the_server(tmp_path, address):
    with serving(address, ["nothing=dummy"]) as server:
        ended = invoke(["serve-control", address, "drain"], tmp_path)
        assert f"{address}: draining" in ended.out
        assert server._desk.is_draining


def test_what_cannot_be_asked_is_refused(tmp_path, address):
    ended = invoke(["serve-control", address, "status", "--model", "best"], tmp_path)
    assert_refused(ended, [2])
    assert "only reload takes it" in ended.err
    assert_refused(invoke(["serve-control", address, "dance"], tmp_path), [2])
    assert_refused(invoke(["serve-control", "nowhere", "status"], tmp_path), [2])


@contextlib.contextmanager
def answering_once(address, frames):
    """Something at an address that answers the first question with these frames."""
    socket = zmq.Context.instance().socket(zmq.ROUTER)
    socket.linger = 0
    socket.bind(f"ipc://{address.removeprefix('unix://')}")

    def answer():
        if socket.poll(1000 * PATIENCE_S):
            socket.send_multipart([socket.recv_multipart()[0], *frames])

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield
    finally:
        thread.join()
        socket.close()


def test_a_server_of_another_version_is_named_with_what_to_do(tmp_path, address):
    head, content = encode_json(Header(MessageKind.TOLD), {})
    older = bytearray(head)
    older[4] = 1
    with answering_once(address, [bytes(older), content]):
        ended = invoke(["serve-control", address, "status"], tmp_path)
    assert_refused(ended, [1])
    assert f"{address}: protocol version: expected 2, got 1; use the same playmill on both sides" in ended.err
