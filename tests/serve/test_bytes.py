"""What is played with a server has the bytes of what is played without, whatever happens to the server meanwhile."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cli.invoking import invoke
from playmill.cli import selfplay
from playmill.games.registry import get_game
from playmill.nets.checkpoint import load_checkpoint, save_checkpoint
from playmill.pipeline.selfplay_phase import first_network
from playmill.pipeline.settings import load_settings
from playmill.replay import list_shards
from serve.serving import serving
from waiting import wait_for

pytestmark = pytest.mark.jit
SMALL = "seed: 5\nselfplay: {games: 12, shard_games: 4, lanes: 3}\ntrain: {batch_size: 8, steps_per_iteration: 2}\n"
CONFIGS = {
    "tictactoe": "game: tictactoe\nnet: {hidden: 16, blocks: 1}\nsearch: {puct: {budget: 6}}\n",
    "connect_four": "game: connect_four\nnet: {kind: conv, channels: 8, hidden: 16, blocks: 1}\nsearch: {puct: {budget: 6}}\n",
    "yatzy": "game: yatzy\nnet: {hidden: 32, blocks: 1, togo: true}\nsearch: {kind: exact_turn}\n",
}


def written(folder, game):
    """A file of settings, and the network that a run with them begins with."""
    config = folder / "config.yaml"
    config.write_text(CONFIGS[game] + SMALL + "gate: {games: 8}\nmeasure: {games: 0}\n")
    settings, _ = load_settings(config)
    save_checkpoint(folder / "net.pt", first_network(get_game(game), settings, settings.digest()))
    return config, folder / "net.pt"


def shard_bytes(run):
    paths = list_shards(run / "replay")
    return [path.read_bytes() for path in paths] + [path.with_suffix(".meta.json").read_bytes() for path in paths]


@pytest.mark.parametrize("game", CONFIGS)
def test_shards_have_the_same_bytes_with_a_server(tmp_path, game):
    config, net = written(tmp_path, game)
    app = typer.Typer()
    selfplay.register(app)

    def play(name, *words):
        out = tmp_path / name
        result = CliRunner().invoke(app, [str(config), "--out", str(out), "--model", str(net), *words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return shard_bytes(out)

    one, two = (f"unix://{tmp_path}/{name}" for name in ("one", "two"))
    with serving(one, [f"best={net}"], max_batch=8, max_wait_us=100), serving(two, [f"best={net}"], max_batch=64) as second:
        here = play("here")
        assert play("there", "--infer", one) == here
        assert play("spread", "--infer", f"{one},{two}", "--set", "workers=3", "--set", "infer.in_turn=3") == here
        assert second.tally.facts()["evaluations"] > 0


def test_a_gate_and_an_exploration_come_out_the_same(tmp_path):
    config, net = written(tmp_path, "tictactoe")
    address = f"unix://{tmp_path}/mill"
    gate = ["gate", "tictactoe", "--candidate", net, "--best", "random", "--games", "16", "--simulations", "8", "--json"]
    explore = ["explore", "tictactoe", "--simulations", "20", "--json", "--model"]
    with serving(address, [f"best={net}"]):
        here, there = invoke(gate, tmp_path), invoke([*gate, "--infer", address], tmp_path)
        assert there.out == here.out, there.err
        seen = [
            invoke([*explore, *words], tmp_path) for words in ([net], [net, "--infer", address], ["best", "--infer", address])
        ]
        actions = [json.loads(ended.out)["actions"] for ended in seen]
        assert actions[0] == actions[1] == actions[2]
    for words in (["--infer", ""], ["--infer", "nowhere"], ["--infer-key", config]):
        assert invoke([*gate, *words], tmp_path).code == 2


def test_an_oracle_counts_the_same(tmp_path):
    _, net = written(tmp_path, "yatzy")
    address, words = f"unix://{tmp_path}/mill", ["oracle-eval", "--model", net, "--games", "4", "--json"]
    with serving(address, [f"best={net}"]) as server:
        here, there = (invoke([*words, *more], tmp_path) for more in ([], ["--infer", address]))
        assert server.tally.facts()["evaluations"] > 0
    assert here.code == there.code == 0, there.err
    assert there.out == here.out


# ------------------------------------------------------------------ a run with a server of its own


def children_of(pid):
    """The processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def shards_of(run):
    return len(list((run / "replay").glob("*.meta.json")))


def test_a_run_outlives_its_server_and_its_server_never_outlives_it(tmp_path):
    config, _ = written(tmp_path, "tictactoe")
    config.write_text(config.read_text().replace("games: 12, shard_games: 4", "games: 400, shard_games: 4"))
    run, plain = tmp_path / "run", tmp_path / "plain"
    words = ["run", str(config), "--out", str(run), "--set", "infer.give_up_s=240"]
    command = [sys.executable, "-m", "playmill", *words, "--infer", "managed"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as owner:
        wait_for(lambda: shards_of(run) > 2, 240)
        (server,) = children_of(owner.pid)
        os.kill(server, signal.SIGKILL)
        wait_for(lambda: set(children_of(owner.pid)) - {server}, 240)
        (second,) = children_of(owner.pid)
        there = shards_of(run)  # what had been answered by then is written without any server
        wait_for(lambda: shards_of(run) > there + 2, 240)
        assert owner.poll() is None
        owner.send_signal(signal.SIGKILL)
        owner.communicate()
    wait_for(lambda: not is_alive(second), 120)
    assert invoke(words, tmp_path).code == 0  # the rest without any server
    assert invoke(["run", str(config), "--out", str(plain)], tmp_path).code == 0
    assert shard_bytes(run) == shard_bytes(plain)
    weights = [load_checkpoint(folder / "models" / "best.pt").meta.weights_sha256 for folder in (run, plain)]
    assert weights[0] == weights[1]
    assert "serving" in (run / "logs" / "serve.log").read_text()


def test_a_managed_run_asks_its_server_in_every_phase(tmp_path):
    config, _ = written(tmp_path, "tictactoe")
    words = ["run", str(config), "--out", str(tmp_path / "run"), "--iterations", "2", "--infer", "managed"]
    before = set(children_of(os.getpid()))  # other tests of this process may have left some
    ended = invoke(words, tmp_path)
    assert ended.code == 0, ended.err
    events = [json.loads(line) for line in (tmp_path / "run" / "logs" / "metrics.ndjson").read_text().splitlines()]
    asked = [(event["iteration"], event["phase"]) for event in events if event["event"] == "inference" and event["rows"] > 0]
    assert asked == [(0, "selfplay"), (0, "gate"), (1, "selfplay"), (1, "gate")]
    reloads = [event for event in events if event["event"] == "model_reload"]
    assert len(reloads) >= 3  # the first network, and each iteration's candidate
    assert all(event["ok"] and event["error"] is None and event["address"].startswith("unix://") for event in reloads)
    assert set(children_of(os.getpid())) <= before
    assert invoke(["verify", str(tmp_path / "run")], tmp_path).code == 0


def test_a_server_that_lacks_a_network_is_told_of_as_a_failed_reload(tmp_path):
    config, model = written(tmp_path, "tictactoe")
    address = f"unix://{tmp_path}/socket"
    with serving(address, [f"best={model}"]):
        words = ["run", str(config), "--out", str(tmp_path / "run"), "--infer", address, "--set", "seed=99"]
        ended = invoke(words, tmp_path)
    assert "does not serve" in ended.err
    events = [json.loads(line) for line in (tmp_path / "run" / "logs" / "metrics.ndjson").read_text().splitlines()]
    failed = [event for event in events if event["event"] == "model_reload"]
    assert [(event["ok"], event["address"]) for event in failed] == [(False, address)]
    assert "does not serve" in failed[0]["error"]
