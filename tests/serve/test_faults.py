"""What can go wrong between a server and its clients, made to go wrong: no wrong answer, no hang, no growth."""

import itertools
import os
import random
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import zmq

from playmill.core.errors import PlaymillError
from playmill.nets.checkpoint import load_checkpoint
from playmill.serve.control import ask, client_socket
from playmill.serve.packing import pack_asked
from playmill.serve.protocol import Header, MessageKind, Reason, decode, encode, refused, rules_key
from serve.serving import (
    PATIENCE_S,
    ServerProcess,
    Truth,
    client_of,
    follower,
    lose_patience,
    make_net,
    reload,
    resident_bytes,
    serving,
)
from waiting import wait_for

pytestmark = pytest.mark.jit
GAME = "tictactoe"
MIB = 1 << 20


@pytest.fixture
def address(tmp_path):
    return f"unix://{tmp_path}/mill"


def asked_and_answered(client, truth, rows=32):
    buffer = truth.buffer(client, GAME, rows)
    client.submit(buffer, rows)
    client.collect(buffer)
    return truth.is_in(buffer)


# ------------------------------------------------------------------ reloads


def test_a_hundred_reloads_under_load_fail_and_mix_no_answer(tmp_path, address):
    files = [make_net(tmp_path / f"{seed}.pt", seed=seed) for seed in (1, 2)]
    truths = {int(load_checkpoint(path).meta.weights_sha256[:16], 16): Truth(path, GAME, 96) for path in files}
    served = tmp_path / "best.pt"
    os.symlink(files[0], served)
    seen, is_over = [], threading.Event()

    def load():
        client = follower("best", address)
        truth = next(iter(truths.values()))
        buffers = [truth.buffer(client, GAME) for _ in range(3)]
        for buffer in buffers:
            client.submit(buffer, 96)
        while not is_over.is_set():
            for buffer in buffers:
                client.collect(buffer)
                (answer,) = buffer.answered_by  # one generation for all rows of a request, though batches hold 40
                assert truths[answer[1]].is_in(buffer)
                seen.append(answer)
                client.submit(buffer, 96)

    with serving(address, [f"best={served}"], max_batch=40, max_wait_us=100, threads=2):
        threads = [threading.Thread(target=_noting, args=(load, seen)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for number in range(100):
            link = tmp_path / "link"
            os.symlink(files[(number + 1) % 2], link)
            os.replace(link, served)
            assert reload(address)["swapped"] == ["best"]
        is_over.set()
        for thread in threads:
            thread.join(PATIENCE_S)
        assert ask(address, "status")["reloads"] == 100
    assert not [one for one in seen if isinstance(one, BaseException)]
    assert len({generation for generation, _ in seen}) > 20


def _noting(work, notes):
    try:
        work()
    except BaseException as error:
        notes.append(error)


# ------------------------------------------------------------------ servers that die


def test_a_server_that_is_killed_and_started_again_costs_nothing_but_time(tmp_path, address):
    path = make_net(tmp_path / "net.pt")
    truth = Truth(path, GAME)
    with ServerProcess(address, "--model", f"best={path}", "--threads", 1) as server:
        client = client_of(path, address)
        buffers = [truth.buffer(client, GAME) for _ in range(4)]
        assert asked_and_answered(client, truth)
        server.kill()
        for buffer in buffers:
            client.submit(buffer, 64)
        restarting = threading.Timer(0.5, server.start)
        restarting.start()
        for buffer in buffers:
            client.collect(buffer)
            assert truth.is_in(buffer)
        restarting.join()
        code, _ = server.end()
        assert code == 0  # SIGTERM is a graceful end


def test_a_dead_server_is_left_out_and_taken_back(tmp_path):
    path = make_net(tmp_path / "net.pt")
    truth = Truth(path, GAME)
    one, two = (f"unix://{tmp_path}/{name}" for name in ("one", "two"))
    with serving(one, [f"best={path}"]) as stays:
        with serving(two, [f"best={path}"]):
            client = client_of(path, one, two)
            for _ in range(20):
                assert asked_and_answered(client, truth)
            assert ask(two, "status")["evaluations"] > 0  # rows go to both
        before = stays.tally.facts()["evaluations"]
        assert asked_and_answered(client, truth)
        assert stays.tally.facts()["evaluations"] > before
        with serving(two, [f"best={path}"]) as returned:
            wait_for(lambda: asked_and_answered(client, truth) and returned.tally.facts()["evaluations"] > 0)
    client.close()


def test_a_server_that_never_answers_is_named_after_its_time(tmp_path):
    path = make_net(tmp_path / "net.pt")
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(tmp_path / "mute"))
        mute.listen()
        with pytest.raises(PlaymillError, match=rf"unix://{tmp_path}/mute: no answer in 1 s; is it running\?"):
            client_of(path, f"unix://{tmp_path}/mute", timeout_s=1.0)


def test_clients_give_up_in_words_when_no_server_comes_back(tmp_path, address):
    path = make_net(tmp_path / "net.pt")
    truth = Truth(path, GAME)
    with serving(address, [f"best={path}"]):
        client = client_of(path, address)
        assert asked_and_answered(client, truth)
    lose_patience(client)
    with pytest.raises(PlaymillError, match=r"no inference server for 0\.5 s: .*mill: .*start the same command again to go on"):
        asked_and_answered(client, truth)


# ------------------------------------------------------------------ clients that misbehave

DYING = """
import sys
from playmill.nets.net_evaluator import NetShape
from playmill.serve.endpoint import Wanted
from playmill.serve.remote import open_remote
from playmill.serve.settings import InferSettings
from playmill.games.registry import get_game
game = get_game("tictactoe")
client = open_remote(InferSettings(addresses=sys.argv[1]), Wanted(name="best"))
buffers = [client.open_buffer(game, 256) for _ in range(40)]
for buffer in buffers:
    client.submit(buffer, 256)
while client.tally.facts()["requests"] < 1:
    client._link._pump(5)
print("answered", flush=True)
sys.stdin.read()
"""


def test_the_rows_of_a_client_that_was_killed_are_dropped(tmp_path, address):
    path = make_net(tmp_path / "net.pt")
    with serving(address, [f"best={path}"], max_batch=64) as server:
        worker, is_dead, batches = server._workers[0], threading.Event(), itertools.count()
        answer = worker._answer

        def answer_some(batch):
            """Answers a tenth, and the others once nobody waits for them: so there is a queue to be dropped."""
            if next(batches) > 16:
                is_dead.wait()
                time.sleep(0.05)  # the socket has still to notice
            answer(batch)

        worker._answer = answer_some
        words = [sys.executable, "-c", DYING, address]
        child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "answered\n"
        child.kill()
        child.communicate()
        is_dead.set()
        wait_for(lambda: server._queues.rows == 0)
        assert server.tally.dropped_requests > 0
        assert server.tally.facts()["evaluations"] < 40 * 256
        assert asked_and_answered(client_of(path, address), Truth(path, GAME))


def test_a_client_that_takes_no_answers_keeps_nobody_waiting(tmp_path, address):
    path = make_net(tmp_path / "net.pt")
    truth = Truth(path, GAME)
    # All 300 requests may be out, so that none is refused: their answers are more than ZeroMQ keeps for a client.
    with serving(address, [f"best={path}", "wide=dummy"], client_rows=16 * 300) as server:
        slow = zmq.Context.instance().socket(zmq.DEALER)
        slow.rcvhwm, slow.linger = 1, 0
        slow.connect(f"ipc://{tmp_path}/mill")
        header = Header(MessageKind.EVALUATE, model=1, rows=16, features=1, logits=6_000, columns=1)
        for request in range(300):
            slow.send_multipart(encode(header._replace(request=request), b""))
        client = client_of(path, address)
        wait_for(lambda: server._clients.has_mail, 60)
        assert asked_and_answered(client, truth)
        before = resident_bytes()
        for _ in range(50):
            assert asked_and_answered(client, truth)
        assert resident_bytes() - before < 64 * MIB
        slow.close()
        wait_for(lambda: not server._clients.has_mail)


def test_a_full_queue_pushes_back_and_everything_is_answered(tmp_path, address):
    path = make_net(tmp_path / "net.pt")
    truth = Truth(path, GAME)
    with serving(address, [f"best={path}"], max_batch=32, queue_rows=128) as server:
        clients = [client_of(path, address) for _ in range(4)]
        buffers = [(client, truth.buffer(client, GAME)) for client in clients for _ in range(10)]
        for client, buffer in buffers:
            client.submit(buffer, 64)
        for client, buffer in buffers:
            client.collect(buffer)
            assert truth.is_in(buffer)
        assert server.tally.refusals["busy"] > 0


def test_connections_that_say_nothing_or_nonsense_disturb_nobody(tmp_path):
    path, port = make_net(tmp_path / "net.pt"), _free_port()
    truth, address = Truth(path, GAME), f"tcp://127.0.0.1:{port}"
    generator = random.Random(3)
    with serving(address, [f"best={path}"]):
        client = client_of(path, address)
        half_open = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
        for number, connection in enumerate(half_open):
            if number % 2:
                connection.sendall(generator.randbytes(200))
        for _ in range(10):
            assert asked_and_answered(client, truth)
        for connection in half_open:
            connection.close()
        assert asked_and_answered(client, truth)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# ------------------------------------------------------------------ changed frames


def changed(generator, frames):
    """A message with something wrong: bits flipped, cut short, longer, frames missing, doubled or out of order."""
    frames = [bytearray(frame) for frame in frames]
    which = generator.randrange(len(frames))
    how = generator.randrange(6)
    if how == 0 and frames[which]:
        for _ in range(generator.randint(1, 8)):
            frames[which][generator.randrange(len(frames[which]))] ^= 1 << generator.randrange(8)
    elif how == 1:
        del frames[which][generator.randrange(len(frames[which]) + 1) :]
    elif how == 2:
        frames[which] += generator.randbytes(generator.randint(1, 40))
    elif how == 3:
        del frames[which]
    elif how == 4:
        frames.insert(generator.randrange(len(frames) + 1), bytearray(frames[which]))
    else:
        frames[which] = bytearray(generator.randbytes(len(frames[which])))
    return [bytes(frame) for frame in frames]


def fuzz(tmp_path, address, count):
    """Send changed messages, and see that each is refused and that an honest client never notices."""
    path = make_net(tmp_path / "net.pt")
    truth, meta = Truth(path, GAME), load_checkpoint(path).meta
    rules = rules_key(meta.game, meta.ruleset, meta.action_space)
    header = Header(MessageKind.EVALUATE, 0, 1, 0, meta.feature_schema, rules, 0, 4, 18, 9, 1, 0)
    originals = [
        encode(header, bytes(12)),
        encode(header._replace(actions=2), bytes(12), pack_asked(np.zeros((4, 2, 2), np.int32), 9).tobytes()),
        encode(header._replace(what=1), bytes(12)),
        encode(Header(MessageKind.CONTROL, request=1), b'{"ask": "status"}'),
    ]
    generator, refusals, before = random.Random(count), 0, None
    with serving(address, [f"best={path}"], max_wait_us=0) as server:
        honest, stranger = client_of(path, address), client_socket(zmq.Context.instance(), address, None)
        for number in range(1, count + 1):
            original = generator.choice(originals)
            message = changed(generator, original)
            if message == original:
                message[0] = message[0][:-1]
            stranger.send_multipart(message or [b""])
            if number % 200 == 0 or number == count:
                refusals += _take_refusals(stranger, 200 if number % 200 == 0 else count % 200)
            if number % 5000 == 0:
                assert asked_and_answered(honest, truth)
            if number == count // 5:
                before = resident_bytes()
        assert asked_and_answered(honest, truth)
        assert refusals == count
        assert sum(server.tally.refusals.values()) >= count
        assert resident_bytes() - before < 48 * MIB
        stranger.close()


def _take_refusals(stranger, count):
    """So many answers, all of which must be refusals."""
    for _ in range(count):
        assert stranger.poll(1000 * PATIENCE_S), "a changed message was left without an answer"
        header, _ = decode(stranger.recv_multipart())
        assert (header.kind, header.what) in [(MessageKind.REFUSAL, Reason.MALFORMED), (MessageKind.REFUSAL, Reason.VERSION)]
    return count


def test_changed_frames_are_refused_and_do_no_harm(tmp_path, address):
    fuzz(tmp_path, address, 100_000)


@pytest.mark.slow
def test_a_million_changed_frames_do_no_harm(tmp_path, address):
    fuzz(tmp_path, address, 1_000_000)


def test_a_dummy_of_any_shape_has_bounds(address):
    with serving(address, ["nothing=dummy"]):
        stranger = client_socket(zmq.Context.instance(), address, None)
        header = Header(MessageKind.EVALUATE, rows=60_000, features=1, logits=1 << 31, columns=1)
        stranger.send_multipart(encode(header, b""))
        assert stranger.poll(1000 * PATIENCE_S)
        assert refused(*decode(stranger.recv_multipart())).reason == Reason.GAME
        stranger.close()
