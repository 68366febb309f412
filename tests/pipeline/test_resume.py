"""What a run says of itself after a stop is true: rates, losses, events."""

import json
from pathlib import Path

import pytest

from playmill.core.events import read_events
from playmill.nets.checkpoint import load_checkpoint
from playmill.pipeline.run import open_run
from playmill.pipeline.selfplay_phase import PlayedIteration
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.watcher import Nobody

CONFIG = Path(__file__).parent / "chaos.yaml"

pytestmark = pytest.mark.jit


class Stopped(Exception):
    pass


class StopsAt(Nobody):
    """Stops the run when a phase of the first iteration has done so many."""

    def __init__(self, phase, done):
        self.wanted, self.last = phase, done

    def phase(self, name, total, done=0):
        stop = self

        class Phase:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                pass

            def __call__(self, done, **facts):
                if name == stop.wanted and done >= stop.last:
                    raise Stopped

        return Phase()

    def finished(self, name, entry):
        if name == self.wanted:
            raise Stopped


def run(folder, watcher):
    with folder.locked():
        open_run(CONFIG, folder.root, watcher).run()


def test_self_play_that_was_finished_before_the_stop_has_no_rate(tmp_path):
    folder = RunFolder(tmp_path)
    with pytest.raises(Stopped):
        run(folder, StopsAt("train", 1))
    manifest = read_manifest(folder)
    assert manifest.iterations[0].selfplay.played == 12
    manifest.iterations[0].selfplay = None  # as if the kill had come before this entry
    manifest.save(folder)
    run(folder, Nobody())
    first, second, _ = json.loads(folder.manifest.read_text())["iterations"]
    assert (first["selfplay"]["games"], first["selfplay"]["played"], first["selfplay"]["games_s"]) == (12, 0, None)
    assert second["selfplay"]["played"] == 12
    assert 12 / second["selfplay"]["games_s"] < second["selfplay"]["seconds"] + 0.001  # the phase also opens networks


def test_the_rate_counts_what_this_process_played():
    assert PlayedIteration(12, 340, "ort", played=5, played_samples=150, seconds=2.0).games_s == 2.5
    assert PlayedIteration(12, 340, "ort", played=0, played_samples=0, seconds=2.0).games_s is None


@pytest.mark.parametrize("step", [1, 5, 6])
def test_training_keeps_its_losses_and_tells_each_step_once(tmp_path, step):
    folder = RunFolder(tmp_path)
    with pytest.raises(Stopped):
        run(folder, StopsAt("train", step))
    run(folder, Nobody())
    events = [event for event in read_events(folder.metrics) if event["event"] == "train_step" and event["iteration"] == 0]
    assert [event["step"] for event in events] == [2, 4, 6]
    first = json.loads(folder.manifest.read_text())["iterations"][0]
    assert first["train"]["losses"]["total"] == events[-1]["loss_total"]


@pytest.mark.parametrize("start", ["best", "latest"])
def test_training_goes_on_with_the_network_that_the_settings_name(tmp_path, start):
    """Behind a gate that nobody passes, the best stays the first network, and the latest goes on learning."""
    folder = RunFolder(tmp_path / "run")
    with folder.locked():
        overrides = ["gate.threshold=0.99", f"train.start={start}", "measure.games=0"]
        open_run(CONFIG, folder.root, Nobody(), overrides).run()
    first, second, third = read_manifest(folder).iterations
    parents = [load_checkpoint(folder.network_after(number)).meta.parent for number in (1, 2, 3)]
    best = first.selfplay.model
    expected = [best] * 3 if start == "best" else [best, first.train.weights_sha256, second.train.weights_sha256]
    assert parents == expected
    assert not any(entry.gate.promote for entry in (first, second, third))
