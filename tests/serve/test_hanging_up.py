"""Connections that end: no answer is dropped, and closing never waits."""

import gc
import socket
import threading

import pytest
import zmq

from playmill.serve.control import ask
from playmill.serve.endpoint import Endpoint, Wanted
from serve.serving import Truth, client_of, make_net, serving
from waiting import wait_for

pytestmark = pytest.mark.jit

MORE_THAN_PYZMQ_HOLDS = 2_500


def test_answers_that_came_before_the_server_hung_up_are_taken(tmp_path):
    path, address = make_net(tmp_path / "net.pt"), f"unix://{tmp_path}/mill"
    truth = Truth(path, "tictactoe")
    with serving(address, [f"best={path}"], max_batch=1 << 15) as server:
        server._queues.max_wait_s = 1e9  # nothing but the end makes a batch
        client = client_of(path, address)
        buffer = truth.buffer(client, "tictactoe")
        client.submit(buffer, 8)
        wait_for(lambda: client._link._pump(1) or server._queues.rows == 8)
        ask(address, "drain")
    client.collect(buffer)  # the server is gone by now
    assert truth.is_in(buffer, 8)


class Slammer:
    """Listens, and closes each connection at once."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        self.visits = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                visitor, _ = self.listener.accept()
            except OSError:
                return
            visitor.close()
            self.visits += 1


def test_a_connection_that_was_lost_thousands_of_times_unseen_can_be_closed():
    slammer, context = Slammer(), zmq.Context()
    context.setsockopt(zmq.RECONNECT_IVL, 1)  # milliseconds; sockets of this context have it
    endpoint = Endpoint(context, slammer.address, None, Wanted(name="best"), 5.0)
    endpoint.tend(0.0, None)
    wait_for(lambda: slammer.visits > MORE_THAN_PYZMQ_HOLDS)
    assert endpoint.lost()
    endpoint.close()
    slammer.listener.close()
    context.term()


def test_an_evaluator_that_only_garbage_collection_finds_hangs_up(tmp_path):
    path, address = make_net(tmp_path / "net.pt"), f"unix://{tmp_path}/mill"
    with serving(address, [f"best={path}"]):
        client = client_of(path, address)
        buffer = Truth(path, "tictactoe").buffer(client, "tictactoe")
        client.submit(buffer, 64)
        client.collect(buffer)
        endpoint = client._link.endpoints[0]
        assert endpoint.socket is not None
        client.itself = client
        del client
        gc.collect()
        assert endpoint.socket is None
