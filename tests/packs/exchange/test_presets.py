"""The presets of EXCHANGE: the four sizes, the command in the seed's words, the files that are shipped."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from commands import runner
from playmill.cli import arena, config, run, selfplay, train
from playmill.cli.run_source import RunRequest, choose_source
from playmill.core.errors import PlaymillError, UsageError
from playmill.nets.checkpoint import load_checkpoint, save_checkpoint
from playmill.packs.registry import find_game, find_pack
from playmill.pipeline.checks import check_run
from playmill.pipeline.selfplay_phase import first_network
from playmill.pipeline.settings import load_settings
from playmill.replay import list_shards, read_shard
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.settings_file import SettingsText

GAME = find_game("exchange")
CONFIGS = Path(__file__).parents[3] / "configs"
SIZES = {"tiny": (32, 2), "small": (64, 4), "medium": (128, 8), "large": (256, 12)}
NOWHERE = RunFolder(Path("nowhere"))

command = runner(run)
show = runner(config)


def settings_of(preset, given, *words):
    """What `playmill run exchange` with these options runs by."""
    return load_settings(*choose_source(RunRequest("exchange", preset, given, words), NOWHERE, None, False))[0]


def test_there_are_four_sizes():
    presets = find_pack("exchange").named_presets
    assert list(presets) == list(SIZES)
    for name, (channels, blocks) in SIZES.items():
        assert f"{channels} channels, {blocks} blocks" in presets[name].about


@pytest.mark.parametrize("name", SIZES)
def test_a_preset_is_a_file_that_can_be_carried_out(name):
    text = show("exchange", "--preset", name)
    settings, _, _ = check_run(SettingsText(name, text))
    assert (settings.net.channels, settings.net.blocks) == SIZES[name]
    assert (settings.net.kind, settings.net.policy, settings.net.value) == ("conv", "planes", "shaped")
    assert settings == settings_of(name, {})
    assert settings.selfplay.opponent.share == 0  # symmetric, unless --asymmetric is given


def test_the_seeds_numbers_are_the_defaults():
    settings = settings_of("medium", {})
    assert (settings.selfplay.games, settings.search.puct.budget, settings.selfplay.bootstrap.games) == (100, 50, 1000)
    assert (settings.train.epochs, settings.train.batch_size, settings.train.lr) == (10, 256, 1e-3)
    assert (settings.train.lr_end < 1, settings.train.lr_fall) == (True, "cosine")
    assert (settings.gate.games, settings.gate.threshold) == (50, 0.55)


def test_the_command_in_the_seeds_words():
    given = {"iterations": 1000, "games": 100, "asymmetric": True, "asymmetric-sims": 50}
    settings = settings_of("medium", given)
    assert (settings.iterations, settings.selfplay.games, settings.search.puct.budget) == (1000, 100, 50)
    opponent = settings.selfplay.opponent
    assert opponent.share >= 0.5
    assert opponent.search.kind == "one_ply"
    assert (
        settings.selfplay.temperature.at(0) == settings.selfplay.opponent.temperature.at(99) == 0
    )  # both play their best move
    check_run(SettingsText("medium", show("exchange", "--preset", "medium")))


def test_the_combo_options_are_the_reward_settings():
    assert settings_of("tiny", {"no-combo-bonus": True}).selfplay.rewards.rd_combo_per_attack == 0
    settings = settings_of("tiny", {"combo-bonus-per-attack": 0.1, "combo-bonus-max": 0.5})
    assert (settings.selfplay.rewards.rd_combo_per_attack, settings.selfplay.rewards.rd_combo_max) == (0.1, 0.5)
    assert settings_of("tiny", {}).selfplay.rewards.rd_combo_per_attack == 0.15


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("exchange --preset huge", "unknown preset of exchange 'huge' (known: large, medium, small, tiny)"),
        ("exchange --preset tinny", "unknown preset of exchange 'tinny'; did you mean 'tiny'?"),
        ("yatzy --preset tiny", "--preset tiny: yatzy has no presets"),
        ("diplomacy --preset tiny", "--preset tiny: diplomacy has no presets"),
        ("exchange --no-combo-bonus --combo-bonus-max 1", "--no-combo-bonus and --combo-bonus-max contradict each other"),
        ("exchange --no-combo-bonus --combo-bonus-per-attack 1", "--no-combo-bonus and --combo-bonus-per-attack contradict"),
        (
            "exchange --no-combo-bonus --set selfplay.rewards.rd_combo_per_attack=0.3",
            "--no-combo-bonus and --set selfplay.rewards.rd_combo_per_attack both say selfplay.rewards.rd_combo_per_attack",
        ),
        (
            "exchange --asymmetric --set selfplay.opponent.share=0",
            "--asymmetric and --set selfplay.opponent.share=0 contradict each other; leave one out",
        ),
        ("exchange --asymmetric-sims 50", "--asymmetric-sims: says something only beside --asymmetric"),
        ("yatzy --no-combo-bonus", "--no-combo-bonus: yatzy has no such option, it is for exchange"),
        ("exchange --asymmetric --combo-bonus-max -1", "exchange --set selfplay.rewards.rd_combo_max=-1"),
        (
            "exchange --asymmetric --set search.kind=one_ply",
            "selfplay.opponent: network, search (one_ply) and temperature are the best's own, so both players are one;",
        ),
        ("exchange --resume", "{out}: there is no run to resume; without --resume one is begun"),
        ("exchang", "unknown game 'exchang'; did you mean 'exchange'?"),
        ("configs/none.yaml --preset tiny", "--preset tiny: configs/none.yaml is a file and has its own settings"),
    ],
)
def test_bad_words_are_refused_in_one_line_and_leave_nothing(words, line, tmp_path):
    out = tmp_path / "run"
    with pytest.raises(UsageError) as error:
        command(*shlex.split(words), "--out", out)
    assert line.format(out=out) in str(error.value)
    assert "\n" not in str(error.value)
    assert not out.exists()


@pytest.mark.parametrize("name", ["smoke", "tiny"])
def test_a_shipped_file_can_be_carried_out_here(name):
    settings, _, _ = check_run(CONFIGS / f"exchange_{name}.yaml")
    opponent = settings.selfplay.opponent
    assert opponent.share >= 0.5
    assert opponent.search.kind == "one_ply"


def test_shipped_files_have_the_sizes_of_their_presets():
    for name in ("tiny", "large"):
        settings = load_settings(CONFIGS / f"exchange_{name}.yaml")[0]
        assert settings.net == settings_of(name, {}).net


# ------------------------------------------------------------------ a run

SHORT = shlex.split(
    "exchange --preset tiny --iterations 2 --games 4 --asymmetric --asymmetric-sims 2 --set selfplay.bootstrap.games=8"
    " --set train.steps_per_iteration=2 --set gate.games=4 --set net.channels=8 --set net.hidden=16 --set measure.games=2"
)


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "x"
    command(*SHORT, "--out", out)
    return out


@pytest.mark.jit
def test_the_same_command_with_resume_carries_on(begun):
    assert "2 iterations, 12 games, 4 steps" in command(*SHORT, "--out", begun, "--resume")
    assert "2 iterations, 12 games, 4 steps" in command("exchange", "--out", begun, "--resume")
    assert "2 iterations, 12 games, 4 steps" in command(*SHORT, "--out", begun)


@pytest.mark.jit
def test_the_asymmetric_command_teaches_the_policy_of_both_sides(begun):
    """Put back and seen to fail: policies not noted where two players sit, or of one of them; logits that pass no gradient."""
    data, meta = read_shard(list_shards(begun / "replay")[-1])
    assert [player.search["kind"] for player in meta.players] == ["puct", "one_ply"]
    assert (np.diff(data.samples.policy_offset) > 0).all()
    assert set(data.samples.player) == {0, 1}
    bootstrap, taught = read_manifest(RunFolder(begun)).iterations
    assert bootstrap.train.losses["policy"] == 0 < taught.train.losses["policy"]
    # A bootstrap teaches values alone, so the policy's biases, which nothing else touches, are as they were.
    biases = [load_checkpoint(begun / "models" / f"iter_{n}.pt", GAME).weights["policy_planes.bias"] for n in range(3)]
    assert (biases[0] == biases[1]).all()
    assert (biases[1] != biases[2]).sum() > biases[1].numel() // 2


@pytest.mark.jit
@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("exchange --preset small --resume", "net.hidden 16, not 128, net.blocks 2, not 4, net.channels 8, not 64"),
        ("exchange --games 5 --resume", "the run was begun with other settings: selfplay.games 4, not 5; go on with its own"),
        ("exchange --no-combo-bonus --resume", "selfplay.rewards.rd_combo_per_attack 0.15, not 0.0"),
        ("yatzy --resume", "the run there is of exchange, not of yatzy"),
    ],
)
def test_what_contradicts_the_run_is_named(begun, words, line):
    before = (begun / "run.json").read_bytes()
    with pytest.raises(PlaymillError) as error:
        command(*shlex.split(words), "--out", begun)
    assert line in str(error.value)
    assert "\n" not in str(error.value)
    assert (begun / "run.json").read_bytes() == before


@pytest.mark.jit
@pytest.mark.parametrize(
    ("room", "words", "option"),
    [
        (selfplay, "FILE --out OUT --model BEST", "--model"),
        (train, "FILE --out OUT --best BEST --replay REPLAY", "--best"),
        (arena, "gate FILE --out OUT --candidate BEST --best greedy", "--candidate"),
        (arena, "gate FILE --out OUT --candidate greedy --best BEST", "--best"),
    ],
)
def test_a_checkpoint_of_another_preset_is_refused_by_name_with_the_sizes_that_differ(begun, tmp_path, room, words, option):
    file, out, best = tmp_path / "small.yaml", tmp_path / "out", begun / "models" / "best.pt"
    file.write_text(show("exchange", "--preset", "small"))
    places = {"FILE": file, "OUT": out, "BEST": best, "REPLAY": begun / "replay"}
    with pytest.raises(UsageError) as error:
        runner(room)(*(places.get(word, word) for word in words.split()))
    sizes = "net.hidden 16, not 128, net.blocks 2, not 4, net.channels 8, not 64"
    assert str(error.value) == (
        f"{option}: {best} is of another size than the settings say: {sizes}; use the settings of its own run"
    )
    assert not out.exists()


@pytest.mark.jit
def test_two_sizes_may_meet_in_a_gate_of_the_game(begun, tmp_path):
    other = tmp_path / "other.pt"
    settings = settings_of("tiny", {}, "net.channels=16", "net.blocks=1")
    save_checkpoint(other, first_network(find_game("exchange"), settings))
    words = ("--games", "4", "--search", "policy", "--json")
    report = json.loads(runner(arena)("gate", "exchange", "--candidate", other, "--best", begun / "models" / "best.pt", *words))
    assert report["games"] == 4


@pytest.mark.jit
def test_the_run_names_its_next_commands_and_keeps_its_networks(begun):
    told = command(*SHORT, "--out", begun)
    assert f"playmill gate exchange --candidate {begun}/models/best.pt --best greedy" in told
    assert {"latest.pt", "best.pt", "iter_0.pt", "iter_1.pt"} <= {path.name for path in (begun / "models").iterdir()}
