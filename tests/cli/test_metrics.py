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


def test_searches_are_counted_while_self_play_goes_on_and_once():
    tally = RunTally()
    for _ in range(2):  # two iterations
        with tally.in_phase("selfplay", 10) as tell:
            tell(1, evaluations=30, cache_hits=5, decisions=4, batches=3, batch_rows=30, batch_room=60, batches_le_16=3)
            live = values(tally)
            tell(2, evaluations=70, cache_hits=10, decisions=9, batches=7, batch_rows=70, batch_room=140, batches_le_16=7)
        counted = {"evaluations": 80, "cache_hits": 10, "decisions": 10, "batches": 8, "batch_rows": 80, "batches_le_16": 8}
        tally.add_searches(counted, seconds=2.0)  # as the phase's entry has it: games that had not ended, too
    found = values(tally)
    assert live["playmill_run_evaluations_total",] == 80 + 30
    assert live["playmill_run_simulations_per_second",] > 0
    assert found["playmill_run_evaluations_total",] == 160
    assert found["playmill_run_simulations_per_second",] == 45
    buckets = [found["playmill_run_batch_rows_bucket", bound] for bound in ("8.0", "16.0", "+Inf")]
    assert (buckets, found["playmill_run_batch_rows_sum",]) == ([0, 16, 16], 160)


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


def is_counted_live(page):
    """Whether the page shows searches of a self-play that is under way."""
    found = dict(line.rsplit(" ", 1) for line in page.splitlines() if not line.startswith("#"))
    return found['playmill_run_phase{phase="selfplay"}'] == "1.0" and float(found["playmill_run_decisions_total"]) > 0


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
    words = ["run", CONFIG, "--out", "run", "--set", "selfplay.games=512", "--metrics", f"127.0.0.1:{port}"]
    try:
        ended = invoke(words, tmp_path)  # so many games that self-play is met at work
    finally:
        over.set()
        thread.join()
    assert ended.code == 0, ended.err
    assert any(is_counted_live(page) for page in pages)
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
