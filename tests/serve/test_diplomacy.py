"""Diplomacy's networks over the wire: seven values and tens of thousands of logits, the bits of the network in process."""

import json
import os
import signal
import subprocess
import sys

import pytest

from cli.invoking import assert_refused, invoke
from diplomacy_neural.playing import new_checkpoint, positions
from diplomacy_neural.test_runs import bytes_of, write_config
from playmill.core.errors import UsageError
from playmill.games.diplomacy.geography import CENTRES
from playmill.nets.checkpoint import save_checkpoint
from playmill.packs.diplomacy.neural.backends import BACKENDS
from playmill.packs.diplomacy.neural.evaluator import open_evaluator
from playmill.serve.control import ask
from playmill.serve.endpoint import Wanted
from playmill.serve.opening import RemoteOpener
from playmill.serve.remote import open_remote
from serve.serving import infer, make_net, serving
from serve.test_bytes import children_of
from waiting import wait_for

pytestmark = pytest.mark.jit


@pytest.fixture
def address(tmp_path):
    return f"unix://{tmp_path}/mill"


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    path = tmp_path_factory.mktemp("net") / "best.pt"
    save_checkpoint(path, new_checkpoint())
    return path


@pytest.mark.parametrize("backend", BACKENDS)
def test_answers_have_the_bits_of_the_network_in_process(net, address, backend):
    states = positions()[:100].copy()
    states["owner"][1, CENTRES[:18]] = 5  # a game that is won
    here = open_evaluator(net, backend)
    with serving(address, [f"best={net}"], backend=backend, max_batch=40, max_wait_us=0):
        there = open_evaluator(net, backend, opener=RemoteOpener(infer(address)))
        assert there.backend == backend
        for count in (1, 7, 100):
            for ours, theirs in zip(here.answer(states[:count]), there.answer(states[:count]), strict=True):
                assert ours.tobytes() == theirs.tobytes()
        assert here.values(states).tobytes() == there.clone().values(states).tobytes()


def test_its_card_says_what_it_is(net, address):
    with serving(address, [f"best={net}"]):
        (card,) = ask(address, "status")["models"]
    wanted = {"game": "diplomacy", "ruleset": "datc-3", "columns": 7, "players": 7, "heads": ["utilities"], "backend": "ort"}
    assert {name: card[name] for name in wanted} == wanted


def test_a_model_of_another_game_is_told_by_its_name(net, address, tmp_path):
    other = make_net(tmp_path / "other.pt", "yatzy")
    with serving(address, [f"best={other}"]):
        with pytest.raises(UsageError, match=f"{address}: model best is a network of yatzy, not of diplomacy"):
            open_remote(infer(address), Wanted(name="best", game="diplomacy"))
        words = ["diplomacy", "search", "start", "--kind", "neural", "--model", net, "--infer", address, "--iterations", "1"]
        ended = invoke(words, tmp_path)
    assert_refused(ended, (1,))
    assert "does not serve weights" in ended.err
    assert "of diplomacy (auto), only best" in ended.err
    assert "of yatzy (ort)" in ended.err


def test_a_search_and_a_ladder_come_out_the_same(net, address, tmp_path):
    search = ["diplomacy", "search", "start", "--kind", "neural", "--model", net, "--iterations", "4", "--json"]
    ladder = ["diplomacy", "ladder", "--rung", "neural:random", "--games", "14", "--max-year", "1901", "--iterations", "1"]
    ladder += ["--model", net, "--polish-nodes", "0", "--workers", "2", "--json"]
    with serving(address, [f"best={net}"]) as server:
        assert invoke([*search, "--infer", address], tmp_path).out == invoke(search, tmp_path).out
        asked = server.tally.facts()["evaluations"]
        assert asked > 0
        there, here = (json.loads(invoke(words, tmp_path).out) for words in ([*ladder, "--infer", address], ladder))
        assert server.tally.facts()["evaluations"] > asked
    assert there["rungs"] == here["rungs"]


def test_infer_without_a_network_is_refused(address, tmp_path):
    ended = invoke(["diplomacy", "search", "start", "--kind", "neural", "--infer", address], tmp_path)
    assert_refused(ended, (2,))
    assert "--model FILE.pt" in ended.err


def test_a_run_with_servers_writes_the_same_bytes_whatever_happens_to_them(tmp_path):
    """Its own server is killed in the midst of the games that the network plays."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    words = ["run", write_config(there), "--out", there / "run", "--set", "guidance.values=candidates"]
    command = [sys.executable, "-m", "playmill", *map(str, words), "--infer", "managed"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as owner:
        wait_for(lambda: (there / "run" / "selfplay" / "games_000001.jsonl").exists(), 240)
        (server,) = children_of(owner.pid)
        os.kill(server, signal.SIGKILL)
        said = owner.communicate(timeout=240)[0]
    assert owner.returncode == 0, said
    plain = invoke(["run", write_config(here), "--out", here / "run", "--set", "guidance.values=candidates"], tmp_path)
    assert plain.code == 0, plain.err
    assert bytes_of(there) == bytes_of(here)
    events = [json.loads(line) for line in (there / "run" / "logs" / "metrics.ndjson").read_text().splitlines()]
    asked = [(event["iteration"], event["phase"]) for event in events if event["event"] == "inference" and event["rows"] > 0]
    assert asked == [(0, "gate"), (1, "selfplay"), (1, "gate")]  # the first games are played before there is a network
    assert invoke(["verify", there / "run", "--games", "2"], tmp_path).code == 0
