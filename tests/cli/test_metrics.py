"""`--metrics`: what a live run and live self-play show to whoever scrapes them."""

import socket
import threading
import urllib.request
from pathlib import Path

import pytest

from cli.invoking import invoke
from playmill.pipeline.metering import RunTally
from playmill.pipeline.metrics import RunCollector
from playmill.runs.entries import GateEntry

CONFIG = Path(__file__).parents[2] / "configs" / "yatzy_smoke.yaml"


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def values(tally):
    return {(s.name, *s.labels.values()): s.value for family in RunCollector(tally).collect() for s in family.samples}


def test_a_phase_counts_what_this_process_made():
    tally = RunTally()
    with tally.in_phase("selfplay", 10, 4) as tell:
        tell(7)
        found = values(tally)
    assert found["playmill_run_games_total", "selfplay"] == 3
    assert found["playmill_run_phase", "selfplay"] == 1
    with tally.in_phase("train", 5) as tell:
        tell(5, loss_total=0.5, samples_s=9.0)
    found = values(tally)
    assert (found["playmill_run_train_steps_total",], found["playmill_run_loss", "total"]) == (5, 0.5)
    assert found["playmill_run_phase", "train"] == 0


def test_gates_and_promotions_are_counted():
    tally = RunTally()
    for promote in (True, False):
        tally.add_entry(
            GateEntry(
                games=2, wins=1, losses=1, draws=0, win_rate=0.5, interval=None, promote=promote, reason="", seed_set="",
                seeds_hash="",
            )
        )  # fmt: skip
    assert (values(tally)["playmill_run_gates_total",], values(tally)["playmill_run_promotions_total",]) == (2, 1)


@pytest.mark.jit
def test_a_run_can_be_scraped_while_it_works(tmp_path, port):
    pages, over = [], threading.Event()

    def scrape():
        while not over.wait(0.02):
            try:
                pages.append(urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=2).read().decode())
            except OSError:
                continue

    thread = threading.Thread(target=scrape)
    thread.start()
    try:
        ended = invoke(["run", CONFIG, "--out", "run", "--metrics", f"127.0.0.1:{port}"], tmp_path)
    finally:
        over.set()
        thread.join()
    assert ended.code == 0, ended.err
    last = dict(line.rsplit(" ", 1) for line in pages[-1].splitlines() if not line.startswith("#"))
    assert float(last['playmill_run_games_total{phase="selfplay"}']) > 0
    assert float(last["playmill_run_decisions_total"]) > 0
    with socket.socket() as probe:  # the page ends with the run
        assert probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize("command", ["run", "selfplay"])
def test_a_port_in_use_is_refused_before_the_folder_is_made(tmp_path, port, command):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        ended = invoke([command, CONFIG, "--out", "run", "--metrics", f"127.0.0.1:{port}"], tmp_path)
    assert ended.code == 2
    assert f"--metrics 127.0.0.1:{port}: can't be listened on" in ended.err
    assert not (tmp_path / "run").exists()
