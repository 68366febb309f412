"""A run plays, trains, gates and promotes by the engine's own controller; stopped anywhere, it goes on to the same end."""

import json
import shutil
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from formats_page import HEAD, SIDECAR, fields_of_entry, fields_of_event, names, own_fields, part
from playmill.cli.run_report import make_report
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.events import read_events
from playmill.packs.diplomacy.neural.checkpoint import load
from playmill.packs.diplomacy.neural.run_settings import load_settings
from playmill.packs.diplomacy.selfplay.records import GameRecord, read_records
from playmill.pipeline.run import open_run
from playmill.pipeline.verify import verify_run
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.watcher import Nobody

pytestmark = pytest.mark.jit  # games and searches take minutes uncompiled

CONFIG = """
game: diplomacy
seed: 3
iterations: {iterations}
workers: 2
net: {{channels: 16, blocks: 1, hidden: 16}}
search: {{candidates: 3, polish_nodes: 50}}
selfplay:
  games: 4
  settings: {{max_year: 1902, temperature: 0.2, budget: {{amount: 3}}}}
train: {{batch_size: 16, steps_per_iteration: 8, autosave_steps: 3, lr: 0.003, warmup: 2, validation: {validation}}}
gate: {{games: 14, threshold: {threshold}, max_year: 1901, budget: {{amount: 2}}}}
"""


class Stopped(Exception):
    pass


class Stopper(Nobody):
    """A watcher that stops the run in a phase of an iteration, once it has gone so far."""

    def __init__(self, iteration=0, phase="", after=0):
        self.iteration, self.stop_at, self.after, self.entries = iteration, phase, after, []

    def begin(self, manifest, status):
        self.manifest = manifest

    def phase(self, name, total, done=0):
        is_here = name == self.stop_at and self.manifest.iterations_done + 1 == self.iteration

        def watch(done, **facts):
            if is_here and done >= self.after:
                raise Stopped

        return nullcontext(watch)

    def finished(self, name, entry):
        self.entries.append((name, entry))


def write_config(folder, iterations=2, threshold=0.0001, validation=0.0):
    path = folder / "config.yaml"
    path.write_text(CONFIG.format(iterations=iterations, threshold=threshold, validation=validation))
    return path


def run(folder, watcher=None, **options):
    with RunFolder(folder / "run").locked():
        controller = open_run(write_config(folder, **options), folder / "run", watcher or Stopper())
        controller.run()
    return controller.manifest


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
    assert best.parent == manifest.iterations[0].train.weights_sha256
    assert best.config_hash == manifest.settings_hash
    assert [name for name, _ in watcher.entries] == ["selfplay", "train", "gate"] * 2
    gates = [entry for name, entry in watcher.entries if name == "gate"]
    assert "against six of the unguided search" in gates[0].reason
    assert "against six of the best network" in gates[1].reason


def test_the_second_iterations_games_are_the_networks(finished):
    folder, manifest, _ = finished
    games = [list(read_records(folder / "run" / "selfplay" / f"games_{i:06d}.jsonl")) for i in range(2)]
    assert {record.settings["player"] for record in games[0]} == {"rm_plus"}
    assert {record.settings["player"] for record in games[1]} == {f"neural {manifest.iterations[0].train.weights_sha256}"}
    assert manifest.iterations[1].selfplay.details["kept"] == len(games[1])


def test_its_files_have_the_fields_that_the_page_promises(tmp_path):
    manifest = run(tmp_path, iterations=1, validation=0.5)
    folder, (iteration,) = RunFolder(tmp_path / "run"), manifest.iterations
    for phase in ("selfplay", "train", "gate"):
        assert set(getattr(iteration, phase).model_dump()) == fields_of_entry(phase)
    validation = iteration.train.details["validation"]
    details = {*iteration.selfplay.details, *iteration.train.details, *validation, *iteration.gate.details}
    assert names(part("Diplomacy's entries", "\n\n")) == {"wins", "draws", "win_rate", "details", *details}
    sidecar = json.loads(folder.best.with_suffix(".meta.json").read_text())
    assert set(sidecar) == SIDECAR - {"ruleset", "players", "heads"} | {"map_hash", "value_target"}
    for event in read_events(folder.metrics):
        promised = {
            "train_step": fields_of_event("train_step") - {"entropy", "illegal_mass"} | {"accuracy"},
            "train_validation": {"weights_sha256", *validation},
        }
        assert set(event) >= HEAD
        assert own_fields(event) == promised.get(event["event"], fields_of_event(event["event"])), event["event"]


@pytest.mark.parametrize("where", [(1, "gate", 1), (2, "train", 4)])
def test_a_stopped_run_goes_on_to_the_same_end(finished, tmp_path, where):
    with pytest.raises(Stopped):
        run(tmp_path, Stopper(*where))
    assert run(tmp_path).best == finished[1].best
    for i in range(2):
        name = f"selfplay/games_{i:06d}.jsonl"
        assert (tmp_path / "run" / name).read_bytes() == (finished[0] / "run" / name).read_bytes()
    assert told_steps(tmp_path) == told_steps(finished[0])


def test_a_killed_run_goes_on_to_the_same_bytes(finished, tmp_path):
    """Killed in both phases that write as they go; nothing that the run relies on shows it."""
    script = Path(__file__).parent / "killed_run.py"
    for words in (("1", "train", "5"), ("2", "selfplay", "1")):
        done = subprocess.run([sys.executable, str(script), str(tmp_path), *words], check=False)
        assert done.returncode == -signal.SIGKILL
    run(tmp_path)
    assert bytes_of(tmp_path) == bytes_of(finished[0])
    assert told_steps(tmp_path) == told_steps(finished[0])
    assert verify_run(tmp_path / "run", games=2).problems == []


def bytes_of(folder):
    """Games and networks, by their names."""
    root = folder / "run"
    return {
        path.relative_to(root): path.read_bytes() for room in ("selfplay", "models") for path in root.glob(f"{room}/**/*.*")
    }


def told_steps(folder):
    """What the log tells of training and the gates, without the times."""
    names = ("event", "iteration", "step", "loss_total", "accuracy", "lr", "weights_sha256", "win_rate")
    events = read_events(folder / "run" / "logs" / "metrics.ndjson")
    return [{key: event.get(key) for key in names} for event in events if event["event"] != "train_plan"]


@pytest.fixture
def run_copy(finished, tmp_path):
    shutil.copytree(finished[0] / "run", tmp_path / "run")
    return tmp_path


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_verify_plays_and_searches_games_again(run_copy):
    report = verify_run(run_copy / "run", games=3)
    assert report.problems == []
    assert (report.shards, report.games, report.replayed, report.searched) == (2, 8, 8, 3)
    assert report.samples > 0


@pytest.mark.parametrize("iteration", [0, 1])
def test_verify_names_a_game_that_its_players_would_not_have_played(run_copy, iteration):
    """Legal orders, a file that is listed as it is, and yet not what the search gives."""
    folder = RunFolder(run_copy / "run")
    path, manifest = folder.games_of(iteration), read_manifest(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    record = json.loads(lines[1])
    record["phases"][0]["values"]["austria"] += 0.001
    lines[1] = GameRecord.model_validate(record).line()
    path.write_bytes(b"".join(lines))
    manifest.enter(folder, path)
    manifest.save(folder)
    (problem,) = verify_run(folder.root, games=8).problems
    assert (problem.file, problem.game) == (folder.name_of(path), 1)
    assert "searched again" in problem.what


def test_verify_plays_by_the_rules_what_it_does_not_search(run_copy):
    folder = RunFolder(run_copy / "run")
    path, manifest = folder.games_of(1), read_manifest(folder)
    record = json.loads(path.read_bytes().splitlines()[0])
    record["phases"][1]["orders"] = {}
    path.write_bytes(GameRecord.model_validate(record).line())
    manifest.enter(folder, path)
    manifest.save(folder)
    problems = verify_run(folder.root, games=0).problems
    assert problems
    assert all("phases.1" in problem.what for problem in problems)


def test_the_report_shows_its_curves(run_copy):
    page = make_report(run_copy / "run")
    assert "Losses" in page
    assert "policy" in page
    assert "Gates" in page
    assert "against six of the best network" in page
    assert "rm_plus" in page


def test_a_finished_run_is_whole_and_its_files_are_checked(run_copy):
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
    assert "is below 0.9900" in manifest.iterations[0].gate.reason


def test_a_run_can_be_given_more_iterations_and_nothing_else(tmp_path):
    run(tmp_path, iterations=1)
    with pytest.raises(PlaymillError, match="begun with other settings"):
        run(tmp_path, iterations=1, threshold=0.5)
    assert run(tmp_path, iterations=2).iterations_done == 2
    assert read_manifest(RunFolder(tmp_path / "run")).phase == "done"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("net: {channels: 20}", r"net\.channels: expected a multiple of 16, got 20"),
        ("lookahead: 3", "lookahead: unknown key"),
        ("gate: {games: 15}", r"gate\.games: expected a multiple of 7, got 15"),
        ("train: {window_samples: 5}", r"train\.window_samples: unknown key"),
        ("train: {togo_weight: 1}", r"train\.togo_weight: unknown key"),
        ("train: {symmetries: false}", r"train\.symmetries: unknown key"),
        ("guidance: {noise: 0.5}", r"guidance\.noise: unknown key"),
        ("selfplay: {settings: {strength: 50}}", r"selfplay\.settings\.strength: unknown key"),
        ("selfplay: {settings: {seed: 50}}", r"selfplay\.settings\.seed: unknown key"),
        ("- 1", "expected settings such as"),
    ],
)
def test_wrong_settings_are_one_line(tmp_path, text, message):
    path = tmp_path / "wrong.yaml"
    path.write_text(text if text.startswith("-") else f"game: diplomacy\n{text}")
    with pytest.raises(UsageError, match=message):
        load_settings(path)


def test_the_configs_we_ship_are_right():
    configs = sorted((Path(__file__).parents[2] / "configs").glob("diplomacy_*.yaml"))
    assert configs
    for path in configs:
        load_settings(path)
