"""Training learns what was played, repeats to the bit, and goes on after a kill as if nothing had happened."""

import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import torch

from diplomacy_neural.lessons import SETTINGS, make_job, with_settings
from diplomacy_neural.playing import SPEC, recorded, write_games
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.events import EventLog, read_events
from playmill.games.diplomacy.geography import POWERS
from playmill.packs.diplomacy.neural import game_reader
from playmill.packs.diplomacy.neural.batches import BatchMaker
from playmill.packs.diplomacy.neural.checkpoint import load
from playmill.packs.diplomacy.neural.game_reader import GameReader, index_games
from playmill.packs.diplomacy.neural.losses import compute_losses, judge_choices
from playmill.packs.diplomacy.neural.model import build_net
from playmill.packs.diplomacy.neural.samples import is_for_validation, make_samples, outcome_shares
from playmill.packs.diplomacy.neural.validation import validate
from playmill.train.trainer import train

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


def test_every_order_of_a_movement_phase_is_found_among_the_legal_ones(tmp_path):
    samples = make_samples(recorded(4))
    moves = np.flatnonzero(np.isin(samples.states["phase"], (0, 2)))
    batch = BatchMaker(0.0).make(GameReader(index_games([write_games(tmp_path / "games.jsonl", 4)])[0]).rows(moves))
    assert len(batch.chosen) == (samples.starts[moves + 1] - samples.starts[moves]).sum()


def losses_of(net, batch):
    scores, values = net(batch.features)
    return compute_losses(judge_choices(scores, batch), values, batch, SETTINGS)


def test_parts_of_a_batch_add_up_to_it():
    samples = make_samples(recorded(2))
    batch = BatchMaker(0.5).make(samples[:21])
    net = build_net(SPEC, 1)
    whole = losses_of(net, batch)
    parts = [losses_of(net, part) for part in (batch.part(i, 3) for i in range(3))]
    assert torch.allclose(torch.stack(parts).sum(dim=0), whole, atol=1e-5)


def test_a_units_probabilities_sum_to_one():
    samples = make_samples(recorded(1))
    batch = BatchMaker(0.0).make(samples[:8])
    scores, _ = build_net(SPEC, 1)(batch.features)
    found = scores.reshape(-1)[batch.logit_ids].sum(dim=1)
    for group in range(0, len(batch.chosen), 9):
        own = torch.nonzero(batch.group == group).flatten()
        at = int((own == batch.chosen[group]).nonzero())
        expected = torch.log_softmax(found[own], dim=0)[at]
        assert torch.isclose(judge_choices(scores, batch).log_probs[group], expected, atol=1e-5)


def test_a_game_stays_on_its_side_whoever_else_is_there(folder):
    records = recorded(4)
    sides = [is_for_validation(record, 0.5) for record in records]
    trained, kept = index_games([folder / "games.jsonl"], 0.5)
    assert len(trained) == sides.count(False)
    assert len(kept) == sides.count(True)


def test_any_pool_of_games_gives_the_same_rows(folder):
    places, _ = index_games([folder / "games.jsonl"])
    wide, narrow = GameReader(places), GameReader(places, pool_games=1)
    numbers = np.random.default_rng(0).permutation(len(wide))[:40]
    one, other = wide.rows(numbers), narrow.rows(numbers)
    whole = make_samples(recorded(4))
    assert np.array_equal(one.states, whole.states[numbers])
    assert np.array_equal(one.outcomes, whole.outcomes[numbers])
    for name in vars(one):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    for row, number in enumerate(numbers):
        own = one.orders[one.starts[row] : one.starts[row + 1]]
        assert np.array_equal(own, whole.orders[whole.starts[number] : whole.starts[number + 1]])


def test_a_reader_never_holds_more_games_than_its_pool(tmp_path, monkeypatch):
    """Samples of games that left the pool are gone: their count is bounded, however long the file is."""
    path = tmp_path / "many.jsonl"
    path.write_bytes(b"".join(record.line() for record in recorded(4)) * 30)
    seen, read = [], game_reader._read_game

    def watched(place):
        found = read(place)
        seen.append(weakref.ref(found.orders))
        return found

    monkeypatch.setattr(game_reader, "_read_game", watched)
    places, _ = index_games([path])
    reader, most = GameReader(places, pool_games=6), 0
    for step in range(40):
        reader.rows(np.random.default_rng(step).integers(0, len(reader), 16))
        most = max(most, sum(one() is not None for one in seen))
    assert len(places) == 120
    assert most == 6


# ------------------------------------------------------------------ learning


def test_a_handful_of_games_can_be_learnt_by_heart(tmp_path):
    """Nothing is in the way from records through features, logits and losses to the weights."""
    write_games(tmp_path / "games.jsonl", 2, max_year=1902, temperature=0.0)
    settings = SETTINGS.model_copy(
        update={"batch_size": 10, "lr": 1e-2, "lr_end": 0.1, "autosave_steps": 150, "validation": 0.0}
    )
    report = train(make_job(tmp_path, settings=settings, steps=150))
    found = validate(load(report.candidate).net(), GameReader(index_games([tmp_path / "games.jsonl"])[0]))
    assert found.accuracy > 0.97
    assert found.value_loss < 0.02 < found.even_value_loss


def test_a_network_tells_the_orders_of_games_it_has_not_seen(tmp_path):
    """The heuristic player's orders follow from the position, so they can be told: five times better than blind guesses."""
    write_games(tmp_path / "games.jsonl", 24, seed=8)
    settings = SETTINGS.model_copy(
        update={"batch_size": 32, "lr": 8e-3, "lr_end": 0.1, "autosave_steps": 500, "validation": 0.2}
    )
    report = train(make_job(tmp_path, settings=settings, steps=160))
    found = report.validation
    assert found["games"] >= 2
    assert found["accuracy"] > 5 * found["chance"]
    assert found["value_loss"] < 0.75 * found["even_value_loss"]


# ------------------------------------------------------------------ going on


def test_the_same_job_gives_the_same_bits(folder):
    first = train(make_job(folder))
    again = train(make_job(folder, candidate=folder / "again.pt"))
    assert (folder / "again.pt").read_bytes() == (folder / "net.pt").read_bytes()
    other = train(make_job(folder, candidate=folder / "other.pt", seed=4))
    assert first.weights_sha256 == again.weights_sha256 != other.weights_sha256


@pytest.mark.parametrize("step", [3, 6, 11])
def test_a_killed_training_goes_on_to_the_same_bits(folder, step):
    train(make_job(folder, candidate=folder / "whole.pt"))
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
    second = train(make_job(folder, parent=first.candidate, candidate=folder / "second.pt", steps=4))
    meta = load(second.candidate).meta
    assert meta.parent == first.weights_sha256
    assert meta.train_step == 16
    with pytest.raises(UsageError, match="must not replace the network that it starts from"):
        train(make_job(folder, parent=folder / "net.pt"))


def test_losses_and_speed_are_logged(folder):
    with EventLog(folder / "log.ndjson") as events:
        train(make_job(folder, settings=with_settings(validation=0.5)), events)
    found = list(read_events(folder / "log.ndjson"))
    assert [event["event"] for event in found] == ["train_plan", *["train_step"] * 3, "train_validation"]
    assert {"loss_total", "loss_policy", "loss_value", "lr", "samples_s"} <= set(found[1])
    assert found[-1]["accuracy"] >= 0
    assert found[0]["snapshot"][0][0] == "games.jsonl"


def test_a_killed_training_tells_its_steps_and_validation_once(folder):
    """What a kill threw away is made again, and not told again."""

    def stop(step, **facts):
        if step == 11:
            raise KeyboardInterrupt

    settings = with_settings(validation=0.5)
    logs = {}
    for name, tries in {"whole": (None,), "killed": (stop, None, None)}.items():
        job = make_job(folder, settings=settings, candidate=folder / f"{name}.pt")
        with EventLog(folder / f"{name}.ndjson") as events:
            for progress in tries:
                with suppress(KeyboardInterrupt):
                    train(job, events, progress)
        told = [event for event in read_events(folder / f"{name}.ndjson") if event["event"] != "train_plan"]
        logs[name] = [{key: event.get(key) for key in ("event", "step", "loss_total", "accuracy", "lr")} for event in told]
    assert logs["killed"] == logs["whole"]
    assert (folder / "killed.pt").read_bytes() == (folder / "whole.pt").read_bytes()


def test_no_games_is_one_line(tmp_path):
    (tmp_path / "games.jsonl").write_text("")
    with pytest.raises(PlaymillError, match="expected games to train on, got none"):
        train(make_job(tmp_path))
    (tmp_path / "games.jsonl").write_text('{"format": 1}\n')
    with pytest.raises(UsageError, match="line 1"):
        train(make_job(tmp_path))
