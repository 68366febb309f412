"""Training learns what was played, repeats to the bit, and goes on after a kill as if nothing had happened."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from diplomacy_neural.lessons import SETTINGS, make_job
from diplomacy_neural.playing import SPEC, recorded, write_games
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.events import EventLog, read_events
from playmill.diplomacy.neural.batches import BatchMaker
from playmill.diplomacy.neural.checkpoint import load
from playmill.diplomacy.neural.losses import compute_losses, judge_choices
from playmill.diplomacy.neural.model import build_net
from playmill.diplomacy.neural.samples import is_for_validation, make_samples, outcome_shares, read_samples
from playmill.diplomacy.neural.training import train
from playmill.diplomacy.neural.validation import validate
from playmill.games.diplomacy.geography import POWERS

pytestmark = pytest.mark.jit  # games and searches take minutes uncompiled


@pytest.fixture
def folder(tmp_path):
    write_games(tmp_path / "games.jsonl", 4)
    return tmp_path


# ------------------------------------------------------------------ samples and batches


def test_a_solo_takes_all_and_a_draw_is_shared_by_squares():
    record = recorded(1)[0]
    drawn = record.model_copy(
        update={"winner": None, "final_sc_counts": dict.fromkeys(POWERS, 0) | {"france": 17, "turkey": 17}}
    )
    assert outcome_shares(drawn).tolist() == [0, 0, 0.5, 0, 0, 0, 0.5]
    assert outcome_shares(drawn.model_copy(update={"winner": "russia"})).tolist() == [0, 0, 0, 0, 0, 1, 0]


def test_advised_orders_are_learnt_instead_of_random_ones():
    record = recorded(2, temperature=1.0)[0]
    phase = next(phase for phase in record.phases if phase.advised)
    only = record.model_copy(update={"phases": [phase]})
    plain = only.model_copy(
        update={"phases": [phase.model_copy(update={"orders": {**phase.orders, **phase.advised}, "advised": {}})]}
    )
    assert sorted(make_samples([only]).orders.tolist()) == sorted(make_samples([plain]).orders.tolist())


def test_every_order_of_a_movement_phase_is_found_among_the_legal_ones():
    samples = make_samples(recorded(4))
    moves = np.flatnonzero(np.isin(samples.states["phase"], (0, 2)))
    batch = BatchMaker(samples, 0.0).make(moves)
    assert len(batch.chosen) == (samples.starts[moves + 1] - samples.starts[moves]).sum()


def test_parts_of_a_batch_add_up_to_it():
    samples = make_samples(recorded(2))
    batch = BatchMaker(samples, 0.5).make(np.arange(21))
    net = build_net(SPEC, 1)
    whole = compute_losses(*net(batch.features), batch, SETTINGS)
    parts = [compute_losses(*net(part.features), part, SETTINGS) for part in (batch.part(i, 3) for i in range(3))]
    assert torch.allclose(torch.stack(parts).sum(dim=0), whole, atol=1e-5)


def test_a_units_probabilities_sum_to_one():
    samples = make_samples(recorded(1))
    batch = BatchMaker(samples, 0.0).make(np.arange(8))
    scores, _ = build_net(SPEC, 1)(batch.features)
    found = scores.reshape(-1)[batch.slots].sum(dim=1)
    for group in range(0, len(batch.chosen), 9):
        own = torch.nonzero(batch.group == group).flatten()
        at = int((own == batch.chosen[group]).nonzero())
        expected = torch.log_softmax(found[own], dim=0)[at]
        assert torch.isclose(judge_choices(scores, batch).log_probs[group], expected, atol=1e-5)


def test_a_game_stays_on_its_side_whoever_else_is_there(folder):
    records = recorded(4)
    sides = [is_for_validation(record, 0.5) for record in records]
    trained, kept = read_samples([folder / "games.jsonl"], 0.5)
    assert trained.games == sides.count(False)
    assert kept.games == sides.count(True)


# ------------------------------------------------------------------ learning


def test_a_handful_of_games_can_be_learnt_by_heart(tmp_path):
    """Nothing is in the way from records through features, slots and losses to the weights."""
    write_games(tmp_path / "games.jsonl", 2, max_year=1902, temperature=0.0)
    settings = SETTINGS.model_copy(update={"batch_size": 10, "lr": 1e-2, "lr_end": 0.1, "autosave_steps": 150})
    report = train(make_job(tmp_path, settings=settings, steps=150, validation=0.0))
    samples = make_samples(recorded(2, max_year=1902, temperature=0.0))
    found = validate(load(report.out).net(), samples)
    assert found.accuracy > 0.97
    assert found.value_loss < 0.02 < found.even_value_loss


def test_a_network_tells_the_orders_of_games_it_has_not_seen(tmp_path):
    """The heuristic player's orders follow from the position, so they can be told: five times better than blind guesses."""
    write_games(tmp_path / "games.jsonl", 24, seed=8)
    settings = SETTINGS.model_copy(update={"batch_size": 32, "lr": 8e-3, "lr_end": 0.1, "autosave_steps": 500})
    report = train(make_job(tmp_path, settings=settings, steps=160, validation=0.2))
    assert report.validation is not None
    assert report.validation.games >= 2
    assert report.validation.accuracy > 5 * report.validation.chance
    assert report.validation.value_loss < 0.75 * report.validation.even_value_loss


# ------------------------------------------------------------------ going on


def test_the_same_job_gives_the_same_bits(folder):
    first = train(make_job(folder))
    again = train(make_job(folder, out=folder / "again.pt"))
    assert (folder / "again.pt").read_bytes() == (folder / "net.pt").read_bytes()
    other = train(make_job(folder, out=folder / "other.pt", seed=4))
    assert first.weights_sha256 == again.weights_sha256 != other.weights_sha256


@pytest.mark.parametrize("step", [3, 6, 11])
def test_a_killed_training_goes_on_to_the_same_bits(folder, step):
    train(make_job(folder, out=folder / "whole.pt"))
    script = Path(__file__).parent / "killed.py"
    done = subprocess.run([sys.executable, str(script), str(folder), str(step)], check=False)
    assert done.returncode == -signal.SIGKILL
    report = train(make_job(folder))
    assert report.resumed_at == step // 4 * 4
    assert (folder / "net.pt").read_bytes() == (folder / "whole.pt").read_bytes()


def test_another_job_starts_anew_and_a_finished_one_has_nothing_to_do(folder):
    train(make_job(folder))
    assert train(make_job(folder)).steps == 0
    assert train(make_job(folder, seed=9)).resumed_at == 0


def test_a_network_can_start_from_another(folder):
    first = train(make_job(folder))
    second = train(make_job(folder, init=first.out, out=folder / "second.pt", steps=4))
    meta = load(second.out).meta
    assert meta.parent == first.weights_sha256
    assert meta.train_step == 16
    with pytest.raises(UsageError, match="must not replace the one it starts from"):
        train(make_job(folder, init=folder / "net.pt"))


def test_losses_and_speed_are_logged(folder):
    with EventLog(folder / "log.ndjson") as events:
        train(make_job(folder, validation=0.5), events)
    found = list(read_events(folder / "log.ndjson"))
    assert [event["event"] for event in found] == ["train_plan", *["train_step"] * 3, "train_validation"]
    assert {"loss_total", "loss_policy", "loss_value", "lr", "samples_s"} <= set(found[1])
    assert found[-1]["accuracy"] >= 0
    assert found[0]["data"][0][0] == "games.jsonl"


def test_no_games_is_one_line(tmp_path):
    (tmp_path / "games.jsonl").write_text("")
    with pytest.raises(PlaymillError, match="expected games to train on, got none"):
        train(make_job(tmp_path))
    (tmp_path / "games.jsonl").write_text('{"format": 1}\n')
    with pytest.raises(UsageError, match="line 1"):
        train(make_job(tmp_path))
