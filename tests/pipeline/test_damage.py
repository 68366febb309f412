"""A run never goes on with the wrong thing: a damaged file is restored to its bytes, or the run refuses by name."""

import json
import shutil

import pytest

from pipeline.damaging import (
    CONFIG,
    DAMAGES,
    OTHERS,
    Stopped,
    StopsAt,
    attempt,
    complaints,
    cut,
    delete,
    find,
    flip,
    fold,
    go_on,
    stop_before_entry,
    swap,
)
from pipeline.killing import results
from playmill.cli.run_report import make_report
from playmill.core.errors import PlaymillError
from playmill.pipeline import controller
from playmill.replay import read_meta
from playmill.replay.meta import meta_path
from playmill.runs import copies
from playmill.runs.folder import Manifest, RunFolder, read_manifest
from playmill.runs.marks import seal

pytestmark = pytest.mark.jit

REFUSED = {"run.json", "models/candidate.pt", "models/candidate.meta.json", "models/candidate.int8.onnx"}
# What a run only keeps: it says that the file is wrong and goes on.
KEPT = {
    "gates/gate_000000.json",
    "logs/metrics.ndjson",
    "logs/iteration_stats.ndjson",
    "logs/mcts_roots.ndjson",
}


@pytest.fixture(scope="module")
def longer(tmp_path_factory):
    """The same settings with one more iteration."""
    path = tmp_path_factory.mktemp("configs") / "longer.yaml"
    path.write_text(CONFIG.read_text().replace("iterations: 2", "iterations: 3"))
    return path


def with_workers(folder, workers):
    """The same settings for another number of threads."""
    path = folder / f"workers_{workers}.yaml"
    path.write_text(CONFIG.read_text().replace("workers: 2", f"workers: {workers}"))
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "whole"
    go_on(folder)
    return folder


@pytest.fixture(scope="module")
def longer_run(whole, longer, tmp_path_factory):
    """What an undamaged run comes to with one more iteration."""
    folder = shutil.copytree(whole, tmp_path_factory.mktemp("runs") / "longer")
    go_on(folder, longer)
    return results(folder)


@pytest.fixture
def run_copy(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "run")


def contents(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and path.name != "controller.lock"}


def same_but(root, whole, *names):
    """Every result of the run is that of the whole one, but for these files."""
    now, then = results(root)[0], results(whole)[0]
    for name in names:
        now.pop(name, None)
        then.pop(name, None)
    return now == then


def test_a_run_that_is_let_alone_is_whole_and_stays_as_it_is(whole, run_copy, capsys):
    assert complaints(run_copy) == []
    assert attempt(run_copy) is None
    assert capsys.readouterr().err == ""
    assert same_but(run_copy, whole)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", OTHERS)
def test_no_damage_is_trusted(whole, run_copy, capsys, name, damage):
    path = find(run_copy, name)
    damage(path, find(run_copy, OTHERS[name]))
    relative = str(path.relative_to(run_copy))
    assert any(relative in line for line in complaints(run_copy)), "verify overlooked it"
    before = contents(run_copy)
    line, said = attempt(run_copy), capsys.readouterr().err
    if line is not None:
        assert name in REFUSED or damage is fold, line
        assert path.name in line
        assert contents(run_copy) == before
        return
    assert name not in REFUSED or (name, damage) == ("models/candidate.pt", delete)
    if name == "models/candidate.pt":
        assert same_but(run_copy, whole, *(f"models/candidate{suffix}" for suffix in (".pt", ".meta.json", ".int8.onnx")))
    elif name in KEPT:
        assert relative in said
        assert same_but(run_copy, whole, relative, "roots")
    else:
        assert relative in said
        assert same_but(run_copy, whole)
        assert path.read_bytes() == (whole / relative).read_bytes()
        assert complaints(run_copy) == []


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("models/best.pt", delete),
        ("models/best.pt", swap),
        ("models/best.int8.onnx", delete),
        ("models/history/{best}.pt", flip),
        ("models/candidate.pt", delete),
        ("gates/gate_000000.json", flip),
        ("replay/shard_000003.safetensors", delete),
        ("replay/shard_000000.meta.json", flip),
        ("logs/metrics.ndjson", cut),
        ("logs/iteration_stats.ndjson", swap),
    ],
)
def test_one_more_iteration_comes_to_the_same_after_a_damage(longer, longer_run, run_copy, name, damage):
    path = find(run_copy, name)
    damage(path, find(run_copy, OTHERS[name]))
    go_on(run_copy, longer)
    now, then = results(run_copy), longer_run
    if name in KEPT and not name.startswith("logs"):
        relative = str(path.relative_to(run_copy))
        assert now[0].pop(relative) != then[0][relative]  # it is still what somebody made of it, and `verify` says so
        assert any(relative in line for line in complaints(run_copy))
        then = ({key: value for key, value in then[0].items() if key != relative}, then[1])
    assert now == then


def test_weights_of_a_promoted_network_are_restored_or_the_run_refuses(run_copy, longer, capsys):
    manifest = read_manifest(RunFolder(run_copy))
    old = find(run_copy, "models/history/{first}.pt")
    kept = find(run_copy, "models/history/{best}.pt")
    swap(run_copy / "models" / "best.pt", old)
    assert attempt(run_copy) is None
    assert f"restored from models/history/{manifest.best}.pt" in capsys.readouterr().err
    delete(kept, None)
    delete(run_copy / "models" / "best.pt", None)
    line = attempt(run_copy, longer)
    assert "models/best.pt: missing; put back a copy of the file, or begin anew in another folder" in line


def test_shards_are_played_again_by_the_network_that_played_them(run_copy, whole, capsys):
    path = run_copy / "replay" / "shard_000001.safetensors"
    path.unlink()
    meta_path(path).unlink()
    assert attempt(run_copy) is None
    assert "shard_000001.safetensors: missing; its games are played again" in capsys.readouterr().err
    assert same_but(run_copy, whole)
    path.unlink()
    find(run_copy, "models/history/{first}.pt").unlink()
    (run_copy / "models" / "iter_0.pt").unlink()  # it could be restored from that
    line = attempt(run_copy)
    assert "missing, and the games of iteration 0 were played with it; put back a copy" in line


def test_a_deleted_manifest_is_no_new_run(run_copy, longer):
    (run_copy / "run.json").unlink()
    before = contents(run_copy)
    line = attempt(run_copy, longer)
    assert "there is no run.json to say what replay/shard_000000.meta.json is" in line
    assert "move these files away, or choose another folder" in line
    assert contents(run_copy) == before


@pytest.mark.parametrize("room", ["replay", "models", "models/history", "gates", "logs"])
def test_a_file_in_place_of_a_folder_is_refused(run_copy, room):
    shutil.rmtree(run_copy / room)
    (run_copy / room).write_text("")
    assert complaints(run_copy)
    assert f"{room}: expected a folder, got a file; move it away" in attempt(run_copy)


@pytest.mark.parametrize(("room", "words"), [("replay", None), ("models", "best"), ("models/history", None), ("logs", None)])
def test_a_folder_that_is_gone_is_restored_as_far_as_it_can_be(whole, run_copy, room, words):
    shutil.rmtree(run_copy / room)
    assert len(complaints(run_copy)) >= 3
    if room == "models/history":  # its networks are restored first: the games can't be played again without who played them
        (run_copy / "replay" / "shard_000000.meta.json").unlink()
    line = attempt(run_copy)
    assert words in line if words else line is None
    if line is None:
        assert same_but(run_copy, whole, "roots")


def test_without_any_copy_of_its_networks_a_run_does_not_play_their_games_again(run_copy):
    shutil.rmtree(run_copy / "models" / "history")
    for path in (run_copy / "models").glob("iter_*"):
        path.unlink()
    (run_copy / "replay" / "shard_000000.meta.json").unlink()
    assert "played with" in attempt(run_copy)


def test_the_networks_of_older_iterations_go_and_the_first_stays(run_copy, tmp_path, longer):
    """Those that are kept are what was trained, whether promoted or not; what a kill left of others is removed."""
    config = tmp_path / "two.yaml"
    config.write_text(longer.read_text() + "keep_iterations: 2\n")
    root = tmp_path / "two"
    go_on(root, config)
    networks = sorted(path.name for path in (root / "models").glob("*.pt"))
    assert networks == ["best.pt", "candidate.pt", "iter_0.pt", "iter_2.pt", "iter_3.pt", "latest.pt"]
    manifest, models = read_manifest(RunFolder(root)), root / "models"
    for iterations in (2, 3):
        meta = json.loads((models / f"iter_{iterations}.meta.json").read_text())
        assert meta["weights_sha256"] == manifest.iterations[iterations - 1].train.weights_sha256
    assert (models / "latest.pt").read_bytes() == (models / "iter_3.pt").read_bytes()
    assert (models / "iter_0.pt").read_bytes() == find(root, "models/history/{first}.pt").read_bytes()
    shutil.copyfile(models / "iter_2.pt", models / "iter_1.pt")
    assert any(line.startswith("models/iter_1.pt") for line in complaints(root))
    assert attempt(root, config) is None
    assert complaints(root) == []


def test_a_kill_before_the_copies_leaves_them_to_the_next_start(tmp_path, whole):
    root = tmp_path / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(controller, "make_copies", _stop_after_training)
        with pytest.raises(Stopped):
            go_on(root)
    assert not (root / "models" / "latest.pt").exists()
    go_on(root)
    assert same_but(root, whole)
    assert complaints(root) == []


def _stop_after_training(folder, manifest):
    if manifest.current.train is not None:
        raise Stopped
    copies.make_copies(folder, manifest)


def test_files_of_nobody_are_named(run_copy, longer):
    shard = run_copy / "replay" / "shard_000002.safetensors"
    alien = run_copy / "replay" / "shard_000099.safetensors"
    shutil.copyfile(shard, alien)
    shutil.copyfile(meta_path(shard), meta_path(alien))
    shutil.copyfile(run_copy / "models" / "best.pt", run_copy / "models" / "history" / "abc.pt")
    assert [line.split(":")[0] for line in complaints(run_copy)] == [
        "replay/shard_000099.meta.json",
        "replay/shard_000099.safetensors",
        "models/history/abc.pt",
    ]
    assert "shard_000099.safetensors: this run has not come so far; move the file away" in attempt(run_copy, longer)


# ------------------------------------------------------------------ values of the manifest


def edit(root, change):
    """Change values of run.json and give it a checksum that fits."""
    content = json.loads((root / "run.json").read_text())
    del content["checksum"]
    change(content)
    (root / "run.json").write_text(seal(json.dumps(content, indent=1).removesuffix("\n}")))


VALUES = [
    ({"iterations_done": 7}, "iterations_done: expected a number that fits the 2 iterations listed, got 7"),
    ({"iterations_done": -1}, "iterations_done: expected a number that fits the 2 iterations listed, got -1"),
    ({"iterations_done": "2x"}, "iterations_done: expected a whole number"),
    ({"iterations": []}, "iterations_done: expected a number that fits the 0 iterations listed, got 2"),
    ({"version": "x"}, "version: expected 3, got 'x'; go on with the playmill that wrote it"),
    ({"version": 1}, "version: expected 3, got 1; go on with the playmill that wrote it"),
    ({"version": 4}, "version: expected 3, got 4"),
    ({"selfplay_games": 79}, "selfplay_games: expected 80, the sum over the iterations, got 79"),
    ({"train_steps": 1}, "train_steps: expected 12"),
    ({"gate_games": 0}, "gate_games: expected 16"),
    ({"best": "abc"}, "best: expected a network that is listed under files, got 'abc'"),
    ({"files": {}}, "files: expected an entry for config.yaml, got none"),
    ({"files": 3}, "files: expected a mapping, got 3"),
    ({"more": 1}, "more: unknown key"),
]


@pytest.mark.parametrize(("values", "words"), VALUES)
def test_a_manifest_that_contradicts_itself_is_refused_in_one_line(run_copy, values, words):
    edit(run_copy, lambda content: content.update(values))
    for line in (attempt(run_copy), *complaints(run_copy)):
        assert f"run.json: {words}" in line
    with pytest.raises(PlaymillError, match=r"run\.json"):
        make_report(run_copy)


@pytest.mark.parametrize(("values", "words"), VALUES)
def test_a_manifest_that_somebody_edited_is_refused(run_copy, values, words):
    path = run_copy / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}, indent=1))
    line = attempt(run_copy)
    assert "its checksum is not that of its content" in line or "version: expected 3" in line


@pytest.mark.parametrize("text", ["", "[]", "{}", "7", "[" * 100_000, '{"version": 3}', "\0\0"])
def test_something_else_in_place_of_the_manifest_is_refused(run_copy, text):
    (run_copy / "run.json").write_text(text)
    assert "run.json: " in attempt(run_copy)


def test_an_empty_space_more_is_a_damage_too(run_copy):
    path = run_copy / "run.json"
    path.write_text(path.read_text().replace('"phase": "done"', '"phase":  "done"'))
    assert "its checksum is not that of its content" in attempt(run_copy)


def test_entries_out_of_order_are_refused(run_copy):
    edit(run_copy, lambda content: content["iterations"][1].update(train=None))
    assert "iterations.1: expected iteration 1 with its phases in order" in attempt(run_copy)


def test_a_report_needs_the_settings_it_shows(run_copy):
    flip(run_copy / "config.yaml", None)
    with pytest.raises(PlaymillError, match=r"config\.yaml: changed: expected sha256"):
        make_report(run_copy)


def test_other_settings_are_not_compared_with_a_damaged_copy(run_copy, longer):
    flip(run_copy / "config.yaml", None)
    assert "config.yaml: changed" in attempt(run_copy, longer)


# ------------------------------------------------------------------ a run that was stopped


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A function that gives a copy of a run that was stopped somewhere."""
    made = {}

    def get(target, *where):
        if where not in made:
            made[where] = tmp_path_factory.mktemp("stopped") / "run"
            with pytest.raises(Stopped):
                go_on(made[where], watcher=StopsAt(*where))
        return shutil.copytree(made[where], target)

    return get


@pytest.mark.parametrize("damage", [flip, cut, swap])
def test_a_shard_that_was_not_yet_listed_is_played_again(whole, tmp_path, damage):
    root = tmp_path / "run"
    stop_before_entry(root, with_workers(tmp_path, 1), shard=1)
    damage(root / "replay" / "shard_000001.safetensors", root / "replay" / "shard_000000.safetensors")
    assert attempt(root) is None
    assert same_but(root, whole)


def test_a_damaged_shard_of_unfinished_self_play_is_played_again(stopped, whole, tmp_path, capsys):
    root = stopped(tmp_path / "run", 1, "selfplay")
    edit(root, lambda content: content["iterations"][1].update(selfplay=None))
    flip(root / "replay" / "shard_000002.safetensors", None)
    flip(root / "replay" / "shard_000003.meta.json", None)
    assert attempt(root) is None
    assert capsys.readouterr().err.count("its games are played again") == 2
    assert same_but(root, whole)


@pytest.mark.parametrize("seed", range(8))
def test_a_flipped_bit_in_an_unfinished_candidate_is_noticed_or_means_nothing(stopped, whole, tmp_path, seed):
    root = stopped(tmp_path / "run", 1, "train", 4)
    flip(root / "models" / "candidate.pt", None, seed)
    line = attempt(root)
    if line is not None:
        assert "models/candidate.pt: " in line
        assert line.endswith("; remove it, and it is trained again")
        (root / "models" / "candidate.pt").unlink()
        go_on(root)
    assert same_but(root, whole)


@pytest.mark.parametrize("damage", [cut, fold])
def test_a_candidate_cut_short_names_the_way_out(stopped, tmp_path, damage):
    root = stopped(tmp_path / "run", 1, "train", 4)
    damage(root / "models" / "candidate.pt", None)
    assert attempt(root).endswith("; remove it, and it is trained again")


@pytest.mark.parametrize(
    ("name", "damage"), [("candidate.pt", flip), ("candidate.int8.onnx", delete), ("candidate.pt", delete)]
)
def test_a_candidate_that_waits_for_its_gate_is_trained_again(stopped, whole, tmp_path, name, damage):
    root = stopped(tmp_path / "run", 1, "train")
    damage(root / "models" / name, None)
    line = attempt(root)
    if line is not None:
        assert line.endswith("remove models/candidate.pt, and the candidate is trained again")
        (root / "models" / "candidate.pt").unlink()
        go_on(root)
    assert same_but(root, whole)


@pytest.mark.parametrize("garbage", [b"{{{\n", b"\xff\xfe\x00\n\n", b'{"event": 3}\n[1]\n"x"\nnull\n', b"torn"])
def test_garbage_in_the_logs_stops_nothing(stopped, whole, tmp_path, garbage):
    root = stopped(tmp_path / "run", 1, "train", 4)
    for name in ("metrics", "iteration_stats", "mcts_roots"):
        path = root / "logs" / f"{name}.ndjson"
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join([garbage, *lines[:2], garbage, *lines[2:], garbage]))
    assert attempt(root) is None
    assert same_but(root, whole, "roots")


# ------------------------------------------------------------------ the log of roots


def test_the_log_of_roots_is_the_same_for_any_number_of_threads_and_any_stop(whole, tmp_path):
    reference = (whole / "logs" / "mcts_roots.ndjson").read_bytes()
    assert len(reference.splitlines()) > 100
    games = [(line["iteration"], line["game"], line["ply"]) for line in map(json.loads, reference.splitlines())]
    assert games == sorted(games)
    for workers in (1, 4):
        root = tmp_path / str(workers) / whole.name  # its lines name the run, which is called after its folder
        go_on(root, with_workers(tmp_path, workers))
        assert (root / "logs" / "mcts_roots.ndjson").read_bytes() == reference
    root = tmp_path / "stopped" / whole.name
    stop_before_entry(root, with_workers(tmp_path, 1), shard=1)
    assert len(list((root / "logs" / "mcts_roots").iterdir())) == 2
    go_on(root)
    assert (root / "logs" / "mcts_roots.ndjson").read_bytes() == reference
    assert not (root / "logs" / "mcts_roots").exists()


@pytest.mark.parametrize("damage", [flip, delete])
def test_a_damaged_part_of_the_log_is_played_again(whole, tmp_path, capsys, damage):
    root = tmp_path / "run"
    stop_before_entry(root, with_workers(tmp_path, 1), shard=1)
    damage(root / "logs" / "mcts_roots" / "shard_000000.jsonl", None)
    assert any("logs/mcts_roots/shard_000000.jsonl" in line for line in complaints(root))
    assert attempt(root) is None
    assert "shard_000000.jsonl" in capsys.readouterr().err
    assert same_but(root, whole)


def test_a_manifest_reads_back(whole):
    manifest = read_manifest(RunFolder(whole))
    assert Manifest.model_validate(manifest.model_dump()) == manifest
    assert manifest.text() == (whole / "run.json").read_text()
    assert all(read_meta(whole / name).players[0].model for name in manifest.files if name.endswith(".safetensors"))
