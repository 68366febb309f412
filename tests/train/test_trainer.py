"""Training learns, repeats bit for bit, and goes on after a kill as if nothing had happened."""

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from playmill.core.errors import PlaymillError, UsageError
from playmill.core.events import EventLog, read_events
from playmill.games.registry import get_game
from playmill.nets.checkpoint import load_checkpoint, make_checkpoint, save_checkpoint
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec
from playmill.replay import ShardOrigin, write_shard
from playmill.train.passes import gradients_of
from playmill.train.plan import TrainJob
from playmill.train.trainer import Training, train
from replay.making import write_shards
from train.lessons import GAME, SETTINGS, SPEC, make_lessons, set_up, train_and_stop, with_settings


@pytest.fixture
def job(tmp_path):
    return set_up(tmp_path)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The weights of a training that nobody interrupts."""
    return train(set_up(tmp_path_factory.mktemp("undisturbed"))).weights_sha256


# ------------------------------------------------------------------ learning


def test_losses_fall(job, tmp_path):
    with EventLog(tmp_path / "metrics.ndjson") as events:
        train(replace(job, steps=400), events)
    steps = [event for event in read_events(tmp_path / "metrics.ndjson") if event["event"] == "train_step"]
    first, last = steps[0], steps[-1]
    for name in ("total", "policy", "value", "margin", "togo"):
        assert last[f"loss_{name}"] < 0.5 * first[f"loss_{name}"], name
    assert last["entropy"] < first["entropy"]
    assert all(0 < step["illegal_mass"] < 1 for step in steps)  # nothing teaches those logits, and nobody asks for them


def test_symmetries_are_seen_unless_switched_off_and_repeat(tmp_path):
    """A symmetric game trained twice has the same bits; without its symmetries it has others."""
    game, spec = get_game("connect_four"), NetSpec(hidden=16, blocks=1)
    save_checkpoint(tmp_path / "best.pt", make_checkpoint(game, spec, build_net(game, spec, 1)))
    shards = write_shards(tmp_path / "replay", [200], game)
    weights = []
    for number, is_on in enumerate((True, True, False)):
        settings = SETTINGS.model_copy(update={"symmetries": is_on})
        job = TrainJob(game, settings, tmp_path / "best.pt", tmp_path / f"{number}.pt", shards, steps=5)
        weights.append(train(job).weights_sha256)
    assert weights[0] == weights[1] != weights[2]


def test_events_say_what_was_planned_and_done(job, tmp_path):
    with EventLog(tmp_path / "metrics.ndjson") as events:
        train(job, events)
    plan, *steps = read_events(tmp_path / "metrics.ndjson")
    assert plan["event"] == "train_plan"
    assert (plan["iteration"], plan["seed"], plan["steps_target"], plan["steps_from"]) == (1, 3, 40, "steps")
    assert [name for name, _ in plan["snapshot"]] == [f"shard_{i:06d}.safetensors" for i in range(3)]
    assert (plan["samples"], plan["resumed_at"], plan["device"]) == (900, 0, "cpu")
    assert [event["step"] for event in steps] == [8, 16, 24, 32, 40]
    assert steps[0]["lr"] == pytest.approx(3e-3)
    assert steps[0]["samples_s"] == pytest.approx(64 * steps[0]["steps_s"])


def test_the_candidate_tells_where_it_comes_from(job):
    report = train(job)
    candidate, best = load_checkpoint(job.candidate, GAME), load_checkpoint(job.parent)
    assert candidate.meta.parent == best.meta.weights_sha256 != candidate.meta.weights_sha256 == report.weights_sha256
    assert (candidate.meta.iteration, candidate.meta.train_step, candidate.spec) == (1, 47, SPEC)
    assert candidate.extras["plan"]["snapshot_hash"]
    assert (report.steps, report.resumed_at, report.steps_target, report.samples) == (40, 0, 40, 900)


def test_what_torch_was_set_to_is_left_alone(job):
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled(), torch.random.get_rng_state()
    train(job)
    assert (torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()) == before[:2]
    assert torch.equal(torch.random.get_rng_state(), before[2])


# ------------------------------------------------------------------ the same bits


def test_the_same_job_gives_the_same_bits(job, undisturbed):
    assert train(job).weights_sha256 == undisturbed


def test_saving_and_logging_more_often_changes_nothing(job, undisturbed):
    assert train(with_settings(job, autosave_steps=3, log_steps=1)).weights_sha256 == undisturbed


@pytest.mark.parametrize("change", [{"seed": 4}, {"steps": 41}])
def test_another_job_gives_others(job, undisturbed, change):
    assert train(replace(job, **change)).weights_sha256 != undisturbed


@pytest.mark.parametrize("stops", [[12], [20], [39], [11, 25, 31], [10, 11]])
def test_a_stopped_training_goes_on_to_the_same_bits(job, undisturbed, stops):
    for last in stops:
        train_and_stop(job, last)
    report = train(job)
    assert report.resumed_at == stops[-1] // 10 * 10
    assert report.steps == 40 - report.resumed_at
    assert report.weights_sha256 == undisturbed


def test_a_training_stopped_before_its_first_save_begins_again(job, undisturbed):
    train_and_stop(job, 9)
    assert not job.candidate.exists()
    report = train(job)
    assert (report.resumed_at, report.weights_sha256) == (0, undisturbed)


def test_a_killed_process_is_continued_to_the_same_bits(tmp_path, undisturbed):
    script = Path(__file__).with_name("killed.py")
    done = subprocess.run([sys.executable, script, tmp_path, "27"], capture_output=True, text=True, timeout=300)
    assert done.returncode == -signal.SIGKILL, done.stderr
    job = replace(set_up(tmp_path, shards=0), steps=40)
    report = train(job)
    assert (report.resumed_at, report.weights_sha256) == (20, undisturbed)


def test_a_finished_candidate_is_left_as_it_is(job, undisturbed):
    train(job)
    before = job.candidate.read_bytes()
    report = train(job)
    assert (report.steps, report.resumed_at, report.weights_sha256) == (0, 40, undisturbed)
    assert job.candidate.read_bytes() == before


def told(path):
    """Step and losses of each `train_step` in the log."""
    steps = [event for event in read_events(path) if event["event"] == "train_step"]
    return [(event["step"], {name: event[name] for name in event if name.startswith("loss_")}) for event in steps]


@pytest.mark.parametrize("stops", [[5], [12], [23, 27], [39], [40]])
def test_a_resumed_training_tells_each_step_once_and_the_same_losses(tmp_path, stops):
    for name in ("left_alone", "stopped"):
        job, log = set_up(tmp_path / name), tmp_path / name / "metrics.ndjson"
        for last in stops if name == "stopped" else ():
            with EventLog(log) as events:
                train_and_stop(job, last, events)
        with EventLog(log) as events:
            report = train(job, events)
        assert report.losses == told(log)[-1][1]
    assert told(tmp_path / "stopped" / "metrics.ndjson") == told(tmp_path / "left_alone" / "metrics.ndjson")
    candidates = [(tmp_path / name / "candidate.pt").read_bytes() for name in ("left_alone", "stopped")]
    assert candidates[0] == candidates[1]


def test_another_plan_is_told_from_its_beginning(job, tmp_path):
    log = tmp_path / "metrics.ndjson"
    for seed in (3, 4):
        with EventLog(log) as events:
            train(replace(job, seed=seed), events)
    assert [step for step, _ in told(log)] == 2 * [8, 16, 24, 32, 40]


def test_a_missing_sidecar_of_a_finished_candidate_is_written(job):
    train(job)
    sidecar = job.candidate.with_suffix(".meta.json")
    text = sidecar.read_text()
    sidecar.unlink()
    train(job)
    assert sidecar.read_text() == text


def board_job(tmp_path, device="cpu"):
    game, spec = get_game("connect_four"), NetSpec(kind="conv", channels=8, blocks=1, hidden=16)
    replay = write_shards(tmp_path / "replay", [200], game)
    save_checkpoint(tmp_path / "best.pt", make_checkpoint(game, spec, build_net(game, spec)))
    return TrainJob(game, SETTINGS, tmp_path / "best.pt", tmp_path / "candidate.pt", replay, device=device, steps=12)


def test_board_nets_repeat_bit_for_bit(tmp_path):
    check_repeating(board_job(tmp_path))


def check_repeating(job):
    undisturbed = train(replace(job, candidate=job.candidate.with_name("other.pt"))).weights_sha256
    train_and_stop(job, 11)
    report = train(job)
    assert report.resumed_at == 10
    assert report.weights_sha256 == undisturbed


def test_gradients_lie_in_memory_as_their_parameters_do():
    """Planes that lie channels last, as on a GPU, give gradients that do, too: a fused optimizer refuses those."""
    layers = torch.nn.Sequential(torch.nn.Conv2d(4, 8, 3, padding=1), torch.nn.Conv2d(8, 5, 1))
    layers = layers.to(memory_format=torch.channels_last)
    weights = [layer.weight.detach().contiguous().view(-1).view_as(layer.weight).requires_grad_() for layer in layers]
    planes = torch.rand(6, 4, 7, 7).to(memory_format=torch.channels_last)
    inner = torch.nn.functional.conv2d(planes, weights[0].to(memory_format=torch.channels_last), padding=1)
    loss = torch.nn.functional.conv2d(inner, weights[1]).square().sum()
    plain = torch.autograd.grad(loss, weights, retain_graph=True)
    found = gradients_of(loss, weights)
    assert any(gradient.stride() != weight.stride() for gradient, weight in zip(plain, weights, strict=True))
    for gradient, same, weight in zip(found, plain, weights, strict=True):
        assert gradient.stride() == weight.stride()
        assert torch.equal(gradient, same)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_gpu_repeats_and_resumes_bit_for_bit(tmp_path):
    jobs = [replace(set_up(tmp_path / name), device="cuda") for name in "ab"]
    train_and_stop(jobs[0], 25)
    first, second = (train(job) for job in jobs)
    assert (first.resumed_at, second.resumed_at) == (20, 0)
    assert first.weights_sha256 == second.weights_sha256


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_board_nets_repeat_bit_for_bit_on_a_gpu(tmp_path):
    check_repeating(board_job(tmp_path, "cuda"))


# ------------------------------------------------------------------ the optimizer


def moments(optimizer):
    return [state["exp_avg"].clone() for state in optimizer.state.values()]


def test_a_new_candidate_never_uses_the_moments_of_the_best(job, undisturbed):
    """A promoted candidate brings its optimizer along in best.pt; the next iteration must not look at it."""
    train(job)
    trained = load_checkpoint(job.candidate)
    assert trained.optimizer["state"]
    best = load_checkpoint(job.parent)
    save_checkpoint(job.parent, replace(best, optimizer=trained.optimizer, extras=trained.extras))
    job.candidate.unlink()
    assert moments(Training(job).optimizer) == []
    assert train(job).weights_sha256 == undisturbed


def test_a_new_iteration_starts_from_the_best_with_a_new_optimizer(job):
    train_and_stop(job, 25)
    training = Training(replace(job, iteration=2))
    assert training.step == training.resumed_at == 0
    assert moments(training.optimizer) == []
    best = load_checkpoint(job.parent).weights
    assert all(torch.equal(tensor, best[name]) for name, tensor in training.net.state_dict().items())


def test_a_resumed_training_has_the_moments_it_was_saved_with(job):
    train_and_stop(job, 25)
    saved = load_checkpoint(job.candidate)
    training = Training(job)
    assert training.step == saved.extras["step"] == 20
    kept = [state["exp_avg"] for state in saved.optimizer["state"].values()]
    assert all(torch.equal(a, b) and a.abs().sum() > 0 for a, b in zip(moments(training.optimizer), kept, strict=True))


@pytest.mark.parametrize("change", ["settings", "seed", "best", "shards"])
def test_a_candidate_with_another_plan_is_not_continued(job, change):
    train_and_stop(job, 25)
    if change == "settings":
        job = with_settings(job, lr=1e-3)
    if change == "seed":
        job = replace(job, seed=9)
    if change == "shards":
        job = replace(job, shards=job.shards[1:])
    if change == "best":
        best = load_checkpoint(job.parent)
        net = best.net()
        torch.nn.init.zeros_(net.stem.bias)
        net.stem.bias.data += 1
        save_checkpoint(job.parent, make_checkpoint(GAME, SPEC, net))
    assert Training(job).resumed_at == 0


# ------------------------------------------------------------------ refusals


def test_the_best_network_is_not_overwritten(job):
    with pytest.raises(UsageError, match=r"best.pt: the candidate must not replace the network that it starts from"):
        train(replace(job, candidate=job.parent.parent / "." / "best.pt"))


def test_nothing_to_train_on_is_an_error(job):
    with pytest.raises(PlaymillError, match="tictactoe: training expects at least one replay shard, got none"):
        train(replace(job, shards=[]))


def test_empty_shards_are_an_error(job, tmp_path):
    empty = write_shard(tmp_path / "empty", 0, make_lessons(0, 0), ShardOrigin.of(GAME))
    with pytest.raises(PlaymillError, match="expected samples to train on, got none"):
        train(replace(job, shards=[empty]))


def test_another_games_files_are_refused(job):
    with pytest.raises(PlaymillError, match=r"best.pt: game: expected 'yatzy'"):
        train(replace(job, game=get_game("yatzy")))


def test_a_loss_that_is_not_finite_stops_before_it_is_saved(job):
    with pytest.raises(PlaymillError, match=r"expected a finite loss up to step \d+, got (nan|inf); try a lower lr"):
        train(with_settings(job, lr=1e30, warmup=0))
    assert not job.candidate.exists()


def test_an_unknown_device_is_refused(job):
    with pytest.raises(UsageError, match="device: expected one of auto, cpu, cuda, got 'tpu'"):
        train(replace(job, device="tpu"))
