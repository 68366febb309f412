"""The loop plays, trains, gates and promotes; stopped anywhere, it goes on to the same end."""

import shutil
from contextlib import nullcontext

import pytest

from playmill.core.errors import PlaymillError, UsageError
from playmill.diplomacy.neural.checkpoint import load
from playmill.diplomacy.neural.loop import open_loop
from playmill.diplomacy.neural.loop_settings import load_settings
from playmill.diplomacy.records import read_records
from playmill.pipeline.folder import RunFolder, read_manifest
from playmill.pipeline.verify import verify_run

pytestmark = pytest.mark.jit  # games and searches take minutes uncompiled

CONFIG = """
seed: 3
iterations: {iterations}
workers: 2
net: {{channels: 16, blocks: 1, hidden: 16}}
search: {{candidates: 3, polish_nodes: 50}}
selfplay:
  games: 4
  settings: {{max_year: 1902, temperature: 0.2, budget: {{amount: 3}}}}
train: {{batch_size: 16, steps_per_iteration: 8, autosave_steps: 3, lr: 0.003, warmup: 2}}
validation: 0.0
gate: {{games: 14, threshold: {threshold}, max_year: 1901, budget: {{amount: 2}}}}
"""


class Stopped(Exception):
    pass


class Stopper:
    """A watcher that stops the run when a phase begins, or when it has gone so far."""

    def __init__(self, phase="", after=0):
        self.stop_at, self.after, self.notes = phase, after, []

    def phase(self, label, total):
        is_here = bool(self.stop_at) and self.stop_at in label

        def watch(done):
            if is_here and done >= self.after:
                raise Stopped

        return nullcontext(watch)

    def note(self, line):
        self.notes.append(line)


def write_config(folder, iterations=2, threshold=0.0001):
    path = folder / "config.yaml"
    path.write_text(CONFIG.format(iterations=iterations, threshold=threshold))
    return path


def run(folder, watcher=None, **options):
    loop = open_loop(write_config(folder, **options), folder / "run", watcher or Stopper())
    loop.run()
    return loop.manifest


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loop")
    watcher = Stopper()
    return folder, run(folder, watcher), watcher


def test_a_run_plays_trains_gates_and_promotes(finished):
    folder, manifest, watcher = finished
    assert (manifest.iterations_done, manifest.selfplay_games, manifest.train_steps, manifest.gate_games) == (2, 8, 16, 28)
    best = load(folder / "run" / "models" / "best.pt").meta
    assert best.weights_sha256 == manifest.best
    assert best.iteration == 1
    assert best.parent == manifest.iterations[0].train["weights_sha256"]
    assert best.config_hash == manifest.settings_hash
    assert "against six of the unguided search" in watcher.notes[0]
    assert "against six of the best network" in watcher.notes[1]


def test_the_second_iterations_games_are_the_networks(finished):
    folder, manifest, _ = finished
    games = [list(read_records(folder / "run" / "selfplay" / f"games_{i:06d}.jsonl")) for i in range(2)]
    assert {record.settings["player"] for record in games[0]} == {"rm_plus"}
    assert {record.settings["player"] for record in games[1]} == {f"neural {manifest.iterations[0].train['weights_sha256']}"}
    assert manifest.iterations[1].selfplay["kept"] == len(games[1])


@pytest.mark.parametrize(("phase", "after"), [("1/2 training", 5), ("1/2 gate", 1), ("2/2 self-play", 1), ("2/2 training", 4)])
def test_a_stopped_run_goes_on_to_the_same_end(finished, tmp_path, phase, after):
    with pytest.raises(Stopped):
        run(tmp_path, Stopper(phase, after))
    assert run(tmp_path).best == finished[1].best
    for i in range(2):
        name = f"selfplay/games_{i:06d}.jsonl"
        assert (tmp_path / "run" / name).read_bytes() == (finished[0] / "run" / name).read_bytes()


@pytest.fixture
def run_copy(finished, tmp_path):
    shutil.copytree(finished[0] / "run", tmp_path / "run")
    return tmp_path


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_a_finished_run_is_whole_and_its_files_are_checked(run_copy):
    assert verify_run(run_copy / "run", games=3).problems == []
    flip(run_copy / "run" / "selfplay" / "games_000000.jsonl")
    assert [problem.file for problem in verify_run(run_copy / "run", games=3).problems] == ["selfplay/games_000000.jsonl"]
    with pytest.raises(PlaymillError, match=r"games_000000\.jsonl: changed: expected sha256 .*; put back a copy"):
        run(run_copy)


def test_a_lost_network_is_restored_and_never_done_without(run_copy, capsys):
    best = run_copy / "run" / "models" / "best.pt"
    before = best.read_bytes()
    best.unlink()
    manifest = run(run_copy)
    assert best.read_bytes() == before
    assert f"best.pt: missing; restored from models/history/{manifest.best}.pt" in capsys.readouterr().err
    best.unlink()
    flip(run_copy / "run" / "models" / "history" / f"{manifest.best}.pt")
    with pytest.raises(PlaymillError, match=r"models/best\.pt: missing; put back a copy"):
        run(run_copy)


def test_a_lost_manifest_is_no_new_run(run_copy):
    (run_copy / "run" / "run.json").unlink()
    with pytest.raises(PlaymillError, match=r"there is no run\.json to say what"):
        run(run_copy)


def test_a_candidate_that_fails_is_not_promoted(tmp_path):
    manifest = run(tmp_path, iterations=1, threshold=0.99)
    assert manifest.best is None
    assert not (tmp_path / "run" / "models" / "best.pt").exists()
    assert "is below 0.9900" in manifest.iterations[0].gate["reason"]


def test_a_run_can_be_given_more_iterations_and_nothing_else(tmp_path):
    run(tmp_path, iterations=1)
    with pytest.raises(PlaymillError, match="begun with other settings"):
        run(tmp_path, iterations=1, threshold=0.5)
    assert run(tmp_path, iterations=2).iterations_done == 2
    assert read_manifest(RunFolder(tmp_path / "run")).phase == "done"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game: diplomacy\nnet: {channels: 20}", r"net\.channels: expected a multiple of 16, got 20"),
        ("lookahead: 3", "lookahead: unknown key"),
        ("gate: {games: 15}", r"gate\.games: expected a multiple of 7, got 15"),
        ("game: go", "game: settings for 'go' are for `playmill run"),
        ("- 1", "expected settings such as"),
    ],
)
def test_wrong_settings_are_one_line(tmp_path, text, message):
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        load_settings(path)


def test_the_configs_we_ship_are_right():
    from pathlib import Path

    configs = sorted((Path(__file__).parents[2] / "configs").glob("diplomacy_*.yaml"))
    assert configs
    for path in configs:
        load_settings(path)
