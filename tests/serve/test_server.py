"""A server and its clients over real sockets: the bits of the same network in process, whoever else asks."""

import json
import urllib.request
from pathlib import Path

import numpy as np
import pytest
import zmq

from playmill.bench.positions import asked_of, features_of
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.evaluation import LIST_END, POLICY, VALUES
from playmill.games.registry import get_game
from playmill.nets.checkpoint import load_checkpoint
from playmill.nets.evaluators import open_evaluator
from playmill.nets.net_evaluator import NetShape
from playmill.serve.control import NoAnswer, ask, client_socket
from playmill.serve.endpoint import Wanted
from playmill.serve.metrics import MetricsPage, TallyCollector
from playmill.serve.protocol import PROTOCOL_VERSION, Header, MessageKind, Reason, decode, encode, refused
from playmill.serve.remote import open_remote
from serve.serving import PATIENCE_S, ServerProcess, Truth, client_of, follower, infer, lose_patience, make_net, reload, serving
from waiting import wait_for

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def nets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nets")
    return {game: make_net(folder / f"{game}.pt", game) for game in ("tictactoe", "connect_four", "yatzy")}


@pytest.fixture(scope="module")
def truths(nets):
    return {game: Truth(path, game, 300) for game, path in nets.items()}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return f"unix://{tmp_path_factory.mktemp('socket')}/mill"


@pytest.fixture(scope="module")
def server(nets, address):
    models = [*(f"{game}={path}" for game, path in nets.items()), "nothing=dummy:0.25"]
    with serving(address, models, max_batch=128, max_wait_us=300, client_rows=4096) as found:
        yield found


# ------------------------------------------------------------------ answers


@pytest.mark.parametrize("game", ["tictactoe", "connect_four", "yatzy"])
def test_answers_have_the_bits_of_the_network_in_process(server, address, nets, truths, game):
    client, truth = client_of(nets[game], address), truths[game]
    buffer = truth.buffer(client, game)
    assert client.submit(buffer, 300) is False  # 300 rows of batches of 128
    client.collect(buffer)
    assert truth.is_in(buffer)
    local, values = open_evaluator(nets[game], game=get_game(game)), np.zeros_like(truth.values)
    local.evaluate_values(truth.features, values)
    client.submit(buffer, 300, VALUES)
    client.collect(buffer)
    assert buffer.values.tobytes() == values.tobytes()
    head, alone = client.heads[-1], np.zeros((300, 1), np.float32)
    local.evaluate_head(head, truth.features, alone)
    client.submit(buffer, 300, head)
    client.collect(buffer)
    assert buffer.head.tobytes() == alone.tobytes()


def test_logits_that_are_asked_for_have_the_bits_of_all_of_them(tmp_path):
    """EXCHANGE's 4,608: a search names those of its legal actions, a list for each position, and no others come back."""
    game, address, path = get_game("exchange"), f"unix://{tmp_path}/mill", make_net(tmp_path / "net.pt", "exchange")
    local = open_evaluator(path, game=game)
    features, logits, values = (
        features_of(game, 50),
        np.zeros((50, local.logits), np.float32),
        np.zeros((50, local.columns), np.float32),
    )
    local.evaluate(features, logits, values)
    with serving(address, [f"best={path}"], max_batch=16, max_wait_us=100):
        client = client_of(path, address)
        buffer = client.open_buffer(game, 50)
        buffer.features[:], buffer.logits[:] = features, np.nan
        asked_of(game, 50, buffer.asked)
        client.submit(buffer, 50)
        client.collect(buffer)
        client.close()
    assert buffer.values.tobytes() == values.tobytes()
    first, second = buffer.asked[:, :, 0], buffer.asked[:, :, 1]
    wanted = np.take_along_axis(logits, first, 1)
    wanted += np.where(second >= 0, np.take_along_axis(logits, np.maximum(second, 0), 1), np.float32(0))
    lengths = np.argmax(second == LIST_END, axis=1)
    assert 15 < lengths.min() < lengths.max() < 200
    for row, length in enumerate(lengths):
        assert buffer.logits[row, :length].tobytes() == wanted[row, :length].tobytes()
        assert np.isnan(buffer.logits[row, length:]).all()


def test_each_request_is_awaited_by_itself(server, address, nets, truths):
    """Collected in any order, also those of which the answers came long ago."""
    truth = truths["tictactoe"]
    client = client_of(nets["tictactoe"], address)
    buffers = [truth.buffer(client, "tictactoe", rows) for rows in (1, 64, 7, 200)]
    for buffer in buffers:
        client.submit(buffer, len(buffer.values))
    for buffer in reversed(buffers):
        client.collect(buffer)
        assert truth.is_in(buffer)
    assert client.tally.facts()["requests"] == 4


def test_thousands_of_requests_may_be_out_at_once(server, address, nets, truths):
    truth = truths["tictactoe"]
    client = client_of(nets["tictactoe"], address)
    buffers = [truth.buffer(client, "tictactoe", 1) for _ in range(3000)]
    for buffer in buffers:
        client.submit(buffer, 1)
    for buffer in buffers:
        client.collect(buffer)
        assert truth.is_in(buffer)


def test_more_rows_than_a_server_takes_are_sent_as_some_are_answered(server, address, nets, truths):
    truth = truths["tictactoe"]
    client = client_of(nets["tictactoe"], address, max_rows=100)
    buffers = [truth.buffer(client, "tictactoe") for _ in range(5)]
    for buffer in buffers:
        client.submit(buffer, 300)
        assert all(endpoint.rows_out <= 100 for endpoint in client._link.endpoints)
    for buffer in buffers:
        client.collect(buffer)
        assert truth.is_in(buffer)


def test_arrays_of_others_are_answered_too(server, address, nets, truths):
    truth, client = truths["yatzy"], client_of(nets["yatzy"], address)
    logits, values = np.zeros_like(truth.logits), np.zeros_like(truth.values)
    client.evaluate(truth.features, logits, values)
    assert (logits.tobytes(), values.tobytes()) == (truth.logits.tobytes(), truth.values.tobytes())


def test_an_answer_names_its_generation_and_weights(server, address, nets):
    client = follower("tictactoe", address)
    buffer = client.open_buffer(get_game("tictactoe"), 3)
    client.submit(buffer, 3)
    client.collect(buffer)
    weights = load_checkpoint(nets["tictactoe"]).meta.weights_sha256
    assert buffer.answered_by == [(1, int(weights[:16], 16))]


def test_a_dummy_answers_every_game_alike(server, address):
    shape = NetShape.of_game(get_game("exchange"), ("utilities",))
    client = open_remote(infer(address), Wanted(name="nothing"), shape)
    buffer = client.open_buffer(get_game("exchange"), 5)
    assert buffer.actions == get_game("exchange").max_legal
    buffer.logits[:] = buffer.values[:] = 9
    client.submit(buffer, 5, POLICY)
    client.collect(buffer)
    assert (buffer.logits == 0).all()
    assert (buffer.values == 0.25).all()


# ------------------------------------------------------------------ refusals


def question(path, **changes):
    """A request for one row of tic-tac-toe, with changes."""
    meta = load_checkpoint(path).meta
    from playmill.serve.protocol import rules_key

    rules = rules_key(meta.game, meta.ruleset, meta.action_space)
    fields = {"kind": MessageKind.EVALUATE, "request": 5, "edition": meta.feature_schema, "rules": rules, "rows": 1}
    fields |= {"features": 18, "logits": 9, "columns": 1}
    return Header(**{**fields, **changes})


def answer_to(address, frames):
    socket = client_socket(zmq.Context.instance(), address, None)
    try:
        socket.send_multipart(frames)
        assert socket.poll(1000 * PATIENCE_S), "no answer"
        return decode(socket.recv_multipart())
    finally:
        socket.close()


@pytest.mark.parametrize(
    ("changes", "payload", "reason", "words"),
    [
        ({"model": 77}, [bytes(3)], Reason.MODEL, "model 77: there is none"),
        ({"model": 1}, [bytes(3)], Reason.GAME, "model connect_four is a network of connect_four .* another game"),
        ({"edition": 9}, [bytes(3)], Reason.GAME, "feature schema: expected 1, got 9"),
        ({"rules": 1}, [bytes(3)], Reason.GAME, "ruleset"),
        ({"features": 19}, [bytes(3)], Reason.GAME, "features: expected 18, got 19"),
        ({"logits": 8}, [bytes(3)], Reason.GAME, "logits: expected 9, got 8"),
        ({}, [bytes(4)], Reason.GAME, "1 rows: expected features of 3 bytes, got 4"),
        ({}, [], Reason.GAME, "1 rows: expected 1 frames behind the header, got 0"),
        ({"rows": 0}, [b""], Reason.MALFORMED, "rows 0"),
        ({"what": 200}, [bytes(3)], Reason.MALFORMED, "what 200"),
        (
            {"actions": 4},
            [bytes(3), b"\x01\0\0\0" + b"\xff" * 4],
            Reason.GAME,
            "asked: expected lists of at most 4 pairs of 9 logits",
        ),
        ({"actions": 4}, [bytes(3), b"\x02\0\0\0" + bytes(4)], Reason.GAME, "asked: expected lists of at most 4 pairs"),
        ({"actions": 4}, [bytes(3)], Reason.GAME, "expected 2 frames behind the header, got 1"),
        ({"weights": 1}, [bytes(3)], Reason.WEIGHTS, "asked for weights 0000000000000001, has"),
        ({"rows": 5000}, [bytes(15000)], Reason.BUSY, "this client has 4,096 rows out"),
        ({"kind": 99}, [], Reason.MALFORMED, "kind 99"),
        ({"kind": MessageKind.CONTROL}, [b"[1"], Reason.MALFORMED, "message"),
        (
            {"kind": MessageKind.CONTROL},
            [b'{"ask": "load", "models": {"x": "/etc/passwd"}}'],
            Reason.MALFORMED,
            "control: expected",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_a_reason(server, address, nets, changes, payload, reason, words):
    header, told = answer_to(address, encode(question(nets["tictactoe"], **changes), *payload))
    error = refused(header, told)
    assert (header.kind, header.request, error.reason) == (MessageKind.REFUSAL, 5, reason)
    with pytest.raises(PlaymillError, match=words):
        raise error


def test_another_version_is_refused_and_the_connection_stays(server, address, nets):
    frames = encode(question(nets["tictactoe"]), bytes(3))
    old = bytearray(frames[0])
    old[4] = PROTOCOL_VERSION - 1
    socket = client_socket(zmq.Context.instance(), address, None)
    for sent, kind in ((bytes(old), MessageKind.REFUSAL), (frames[0], MessageKind.ANSWER)):
        socket.send_multipart([sent, frames[1]])
        assert socket.poll(1000 * PATIENCE_S)
        assert decode(socket.recv_multipart())[0].kind == kind
    socket.close()


def test_a_network_that_nobody_serves_is_told_with_what_is_served(server, address, tmp_path):
    other = make_net(tmp_path / "other.pt", seed=9)
    with pytest.raises(PlaymillError, match=rf"{address}: does not serve weights .* only tictactoe .*same file and backend"):
        client_of(other, address)


def test_a_server_that_is_not_there_is_named_with_what_to_do(tmp_path, nets):
    with pytest.raises(NoAnswer, match=r"nobody listens there; is it running\? start it with `playmill serve"):
        ask(f"unix://{tmp_path}/none", "status")
    with pytest.raises(PlaymillError, match=f"unix://{tmp_path}/none: nobody listens"):
        client_of(nets["tictactoe"], f"unix://{tmp_path}/none")


# ------------------------------------------------------------------ addresses


def test_an_address_in_use_is_refused_and_its_server_goes_on(server, address, nets, truths):
    with pytest.raises(UsageError, match=f"{address}: in use by another server"), serving(address, ["x=dummy"]):
        pass
    client = client_of(nets["tictactoe"], address)
    buffer = truths["tictactoe"].buffer(client, "tictactoe", 4)
    client.submit(buffer, 4)
    client.collect(buffer)
    assert truths["tictactoe"].is_in(buffer)


def test_a_port_in_use_is_refused(tmp_path):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match="in use"), serving(f"tcp://127.0.0.1:{port}", ["x=dummy"]):
            pass


def test_a_file_is_never_taken_for_a_socket(tmp_path):
    path = tmp_path / "precious"
    path.write_text("mine")
    with pytest.raises(UsageError, match="is no socket"), serving(f"unix://{path}", ["x=dummy"]):
        pass
    assert path.read_text() == "mine"


def test_a_socket_that_a_killed_server_left_is_taken_over(tmp_path):
    import socket

    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "left"))
    with serving(f"unix://{tmp_path}/left", ["x=dummy"]):
        assert ask(f"unix://{tmp_path}/left", "status")["models"][0]["name"] == "x"
        assert (tmp_path / "left").stat().st_mode & 0o077 == 0


# ------------------------------------------------------------------ control and metrics


def test_the_status_tells_what_clients_need(server, address, nets):
    status = ask(address, "status")
    assert status["protocol"] == PROTOCOL_VERSION
    assert [card["name"] for card in status["models"]] == ["tictactoe", "connect_four", "yatzy", "nothing"]
    assert status["models"][0]["weights_sha256"] == load_checkpoint(nets["tictactoe"]).meta.weights_sha256
    assert (status["max_batch"], status["draining"]) == (128, False)


def test_a_model_file_that_vanishes_leaves_its_network_at_work(tmp_path):
    path, address = make_net(tmp_path / "net.pt"), f"unix://{tmp_path}/s"
    truth = Truth(path, "tictactoe", 8)
    with serving(address, [f"best={path}"]):
        client = client_of(path, address)
        path.unlink()
        with pytest.raises(PlaymillError, match=r"net\.pt: no such checkpoint"):
            reload(address)
        path.write_bytes(b"torn")
        with pytest.raises(PlaymillError, match="not a checkpoint"):
            reload(address)
        buffer = truth.buffer(client, "tictactoe")
        client.submit(buffer, 8)
        client.collect(buffer)
        assert truth.is_in(buffer)


def test_a_reload_passes_over_files_that_have_still_to_come(tmp_path):
    """As when a run has its first best network, and no candidate yet."""
    address, best, candidate = f"unix://{tmp_path}/mill", tmp_path / "best.pt", tmp_path / "candidate.pt"
    words = [f"--model=best={best}", f"--model=candidate={candidate}", "--allow-missing"]
    with ServerProcess(address, *words):
        make_net(best)
        assert reload(address)["swapped"] == ["best"]
        with pytest.raises(PlaymillError, match=r"candidate\.pt: no such checkpoint"):
            reload(address, models=["candidate"])
        make_net(candidate, seed=1)
        assert reload(address)["swapped"] == ["candidate"]


def test_a_reload_swaps_what_changed_and_says_so(tmp_path):
    path, address = make_net(tmp_path / "net.pt"), f"unix://{tmp_path}/s"
    with serving(address, [f"best={path}", "other=dummy"]):
        assert reload(address)["swapped"] == []
        make_net(path, seed=4)
        told = reload(address, models=["best"])
        assert told["swapped"] == ["best"]
        assert told["models"][0]["generation"] == 2
        with pytest.raises(PlaymillError, match="unknown model 'worst'; there are best, other"):
            reload(address, models=["worst"])


def test_a_client_with_other_weights_in_mind_is_not_answered_by_new_ones(tmp_path):
    path, address = make_net(tmp_path / "net.pt"), f"unix://{tmp_path}/s"
    with serving(address, [f"best={path}"]):
        client = client_of(path, address)
        make_net(path, seed=4)
        reload(address)
        buffer = client.open_buffer(get_game("tictactoe"), 4)
        client.submit(buffer, 4)
        (endpoint,) = client._link.endpoints
        wait_for(lambda: client._link._pump(1) or "does not serve" in endpoint.trouble)
        lose_patience(client)
        with pytest.raises(PlaymillError, match="it does not serve weights"):
            client.collect(buffer)


def test_metrics_can_be_scraped(server, address, nets, truths):
    client, truth = client_of(nets["tictactoe"], address), truths["tictactoe"]
    buffer = truth.buffer(client, "tictactoe", 10)
    client.submit(buffer, 10)
    client.collect(buffer)
    page = MetricsPage(f"127.0.0.1:{(port := free_port())}", TallyCollector(server.tally))
    try:
        text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE_S).read().decode()
    finally:
        page.close()
    found = dict(line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
    assert float(found['playmill_serve_evaluations_total{model="tictactoe"}']) >= 10
    assert float(found["playmill_serve_batch_rows_count"]) == server.tally.batch_rows.total()
    assert float(found['playmill_serve_latency_seconds_bucket{le="+Inf"}']) == server.tally.latency.counts.total()
    for name in ("queue_rows", "clients", 'reloads_total{model="tictactoe"}', 'generation{model="yatzy"}'):
        assert f"playmill_serve_{name}" in found


def free_port():
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_draining_answers_what_came_and_refuses_the_rest(tmp_path):
    address = f"unix://{tmp_path}/s"
    with serving(address, ["slow=dummy"], max_batch=1 << 15) as server:
        server._queues.max_wait_s = 1e9  # nothing but the end makes a batch
        shape = NetShape.of_game(get_game("tictactoe"))
        client = open_remote(infer(address), Wanted(name="slow"), shape)
        buffer = client.open_buffer(get_game("tictactoe"), 9)
        client.submit(buffer, 9)
        wait_for(lambda: client._link._pump(1) or server._queues.rows == 9)
        assert ask(address, "drain")["draining"]
        client.collect(buffer)


def test_statuses_are_plain_json(server, address):
    assert json.loads(json.dumps(ask(address, "status")))["threads"] == 1
    assert Path(address.removeprefix("unix://")).is_socket()
